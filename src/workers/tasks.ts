import type { Task } from "../operation/task.ts";
import { exportDnsRecordsTask } from "../resources/dns-records/export.ts";
import { importDnsRecordsTask } from "../resources/dns-records/import.ts";
import type { DnsContext } from "../resources/dns-records/dns-records.ts";
import { deleteListTask, changeListItemsTask } from "../resources/lists/list-operations.ts";
import { traceRequestTask } from "../resources/request-tracer/request-tracer.ts";
import { judgeByCoreRulesTask, type RulesetContext } from "../resources/rulesets/rulesets.ts";
import { replayRequestsTask } from "../resources/waf-replay/waf-replay.ts";

/** What tasks take. */
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
export function findTask(name: string): AnyTask {
  const found = tasks.find((task) => task.name === name);
  if (found === undefined) throw new Error(`no task ${name}`);
  return found;
}
