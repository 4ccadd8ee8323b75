import type { MessagePort } from "node:worker_threads";

import type { CoreRules } from "../core/judging/core-rules.ts";
import type { SharedRelease } from "../engines/crs-release.ts";
import type { Task } from "../operation/task.ts";
import { createContext } from "../process/open-store.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import type { DnsContext } from "../resources/dns-records/dns-records.ts";
import { exportDnsRecordsTask } from "../resources/dns-records/export.ts";
import { importDnsRecordsTask } from "../resources/dns-records/import.ts";
import { deleteListTask, changeListItemsTask } from "../resources/lists/list-operations.ts";
import { traceRequestTask } from "../resources/request-tracer/request-tracer.ts";
import { judgeByCoreRulesTask, type RulesetContext } from "../resources/rulesets/rulesets.ts";
import { replayRequestsTask } from "../resources/waf-replay/waf-replay.ts";
import type { Database, Turn } from "../storage/database.ts";
import { openDatabaseInTurns } from "../storage/open-database.ts";
import {
  toPlainError,
  type FromWorker,
  type Order,
  type ToWorker,
  type WorkerSettings,
  toError,
} from "./messages.ts";

/** Runs tasks in this thread, one after another, on the store that the other thread has open. */
export function serveTasks(port: MessagePort, { location, vendor, originNetworks }: WorkerSettings): void {
  const post = (message: FromWorker): void => port.postMessage(message);
  const turns = new TurnTaker(post);
  let now = new Date();
  let opening: Promise<{ readonly db: Database; readonly context: TaskContext }> | undefined;
  let release: { readonly checksum: string; readonly rules: CoreRules } | undefined;
  const takeRelease = async (shared: SharedRelease | undefined): Promise<void> => {
    if (shared?.checksum === release?.checksum) return;
    const { openSharedRelease } = await import("../engines/crs-release.ts");
    release = shared && { checksum: shared.checksum, rules: openSharedRelease(shared) };
  };
  const open = async () => {
    try {
      const db = await openDatabaseInTurns(location, turns.take);
      const context = { ...createContext(db, () => now), originNetworks };
      return { db, context: createRulesetContext(context, vendor, () => release?.rules) };
    } catch (error) {
      // The next task tries again.
      opening = undefined;
      throw error;
    }
  };

  const run = async (order: Order): Promise<void> => {
    let auditLogId: string | undefined;
    try {
      now = new Date(order.now);
      await takeRelease(order.coreRelease);
      const { context } = await (opening ??= open());
      const caller = { ...order.caller, noteAuditLog: (id: string) => (auditLogId = id) };
      const report = (progress: object): void => post({ kind: "progress", progress });
      const result = await findTask(order.task).run(context, caller, order.input as never, report);
      post({ kind: "done", result, auditLogId });
    } catch (error) {
      post({ kind: "failed", error: toPlainError(error) });
    }
  };

  const end = async (): Promise<void> => {
    await (await opening?.catch(() => undefined))?.db.close();
    port.close();
  };

  port.on("message", (message: ToWorker) => {
    if (message.kind === "run") void run(message.order);
    else if (message.kind === "turn") turns.give(message);
    else void end();
  });
}

export type TaskContext = RulesetContext & DnsContext;

/** A task as a worker runs it: its input is what was handed in with its name. */
type AnyTask = Task<TaskContext, never, unknown>;

const tasks: readonly AnyTask[] = [
  changeListItemsTask,
  deleteListTask,
  exportDnsRecordsTask,
  importDnsRecordsTask,
  judgeByCoreRulesTask,
  replayRequestsTask,
  traceRequestTask,
];

/** Throws for a name that no task has. */
function findTask(name: string): AnyTask {
  const found = tasks.find((task) => task.name === name);
  if (found === undefined) throw new Error(`no task ${name}`);
  return found;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** The side of a worker: asks the other thread for turns at the store. */
class TurnTaker {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  readonly take: Turn = async (work) => {
    this.#last += 1;
    const turn = this.#last;
    const isGiven = new Promise<void>((begin, refuse) => void this.#waiting.set(turn, { begin, refuse }));
    this.#post({ kind: "turn wanted", turn });
    await isGiven;
    try {
      return await work();
    } finally {
      this.#post({ kind: "turn over", turn });
    }
  };

  give({ turn, error }: Extract<ToWorker, { readonly kind: "turn" }>): void {
    const waiting = this.#waiting.get(turn);
    this.#waiting.delete(turn);
    if (error === undefined) waiting?.begin();
    else waiting?.refuse(toError(error));
  }
}
