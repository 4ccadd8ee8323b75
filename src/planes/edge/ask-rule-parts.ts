import { AppError } from "../../core/error.ts";
import type { PartOutcome } from "../../core/judging/request-parts.ts";
import { OwnAnswerDue, problems } from "../../edge/errors/problems.ts";
import type { AskRuleParts } from "../../edge/rules/run-rules.ts";
import type { WorkerPool } from "../../workers/worker-pool.ts";

const program = new URL("../../workers/rule-parts.worker.ts", import.meta.url);

/**
 * Limits of the threads that judge costly parts of rules. Accounts take turns, and none has more than one thread at a
 * time.
 */
const limits = {
  threadsMax: 2,
  longTasksMax: 2,
  /** Requests that wait, each with the beginning of its body. */
  waitingMax: 512,
  waitingOfOwnerMax: 256,
  /** With the start of a thread. The parts of a request have a deadline of their own (`partsMsMax`). */
  taskMsMax: 3_000,
  idleMsMax: 60_000,
  heapMegabytesMax: 256,
} as const;

/** Judges costly parts of rules in threads, which end with `opened`. */
export function askInThreads(opened: AsyncDisposableStack): AskRuleParts {
  let opening: Promise<WorkerPool> | undefined;
  const open = async (): Promise<WorkerPool> => {
    const { WorkerPool: Pool } = await import("../../workers/worker-pool.ts");
    const lend = (): never => {
      throw new Error("no store is lent to what judges parts of rules");
    };
    const pool = new Pool({ program, settings: undefined, lend, limits });
    opened.defer(() => pool.close());
    return pool;
  };
  return async ({ accountId }, question) => {
    const pool = await (opening ??= open());
    const caller = {
      user: undefined,
      credential: { kind: "token", tokenId: "", accountId },
      address: "",
    } as const;
    try {
      const { result } = await pool.run({
        order: { task: "judgeRuleParts", caller, input: question, now: 0 },
        handedOver: [],
        accountId,
        owner: accountId,
        isBrief: false,
      });
      return result as readonly PartOutcome[];
    } catch (error) {
      throw error instanceof AppError ? new OwnAnswerDue(problems.overloaded) : error;
    }
  };
}
