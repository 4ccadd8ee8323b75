import type { MessagePort } from "node:worker_threads";

import type { CoreRules } from "../core/judging/core-rules.ts";
import type { SharedRelease } from "../engines/core-release.ts";
import { createContext } from "../process/open-store.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import type { Database } from "../storage/database.ts";
import { openDatabaseInTurns } from "../storage/open-database.ts";
import { toPlainError, type FromWorker, type Order, type ToWorker, type WorkerSettings } from "./messages.ts";
import { findTask, type TaskContext } from "./tasks.ts";
import { TurnTaker } from "./turn-taker.ts";

/** What a worker thread does: one task after another, on the store that the other thread has open. */
export function serveTasks(port: MessagePort, { location, vendor, originNetworks }: WorkerSettings): void {
  const post = (message: FromWorker): void => port.postMessage(message);
  const turns = new TurnTaker(post);
  let now = new Date();
  let opening: Promise<{ readonly db: Database; readonly context: TaskContext }> | undefined;
  let release: { readonly checksum: string; readonly rules: CoreRules } | undefined;
  const takeRelease = async (shared: SharedRelease | undefined): Promise<void> => {
    if (shared?.checksum === release?.checksum) return;
    const { openSharedRelease } = await import("../engines/core-release.ts");
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
