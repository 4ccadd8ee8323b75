import { AppError } from "../../core/error.ts";
import { FairRoom } from "../../core/fair-room.ts";
import { OwnAnswerDue, problems } from "../../edge/errors/problems.ts";
import type { AskCoreRules } from "../../edge/rules/run-rules.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { judgeByCoreRulesTask } from "../../resources/rulesets/rulesets.ts";
import type { TaskContext } from "../../workers/serve-tasks.ts";

/** Number of requests that may wait for a worker; each holds the beginning of its body. Accounts have a share of it. */
const waitingMax = 64;

/** Evaluates the Core Rule Set in worker threads, fairly among the accounts of the zones. */
export function askInWorkers(runTask: TaskRunner<TaskContext>["runTask"]): AskCoreRules {
  const waiting = new FairRoom(waitingMax);
  return async ({ accountId }, request, level, response) => {
    const leave = waiting.take([accountId]);
    if (leave === undefined) throw new OwnAnswerDue(problems.overloaded);
    const caller = {
      user: undefined,
      credential: { kind: "token", tokenId: "", accountId },
      address: request.remoteAddress,
      noteAuditLog: () => undefined,
    } as const;
    try {
      return await runTask(judgeByCoreRulesTask, caller, { accountId, request, response, level });
    } catch (error) {
      throw error instanceof AppError ? new OwnAnswerDue(problems.overloaded) : error;
    } finally {
      leave();
    }
  };
}
