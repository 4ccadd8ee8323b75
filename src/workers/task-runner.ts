import { partyOf } from "../core/policy/caller.ts";
import type { SharedRelease } from "../engines/crs-release.ts";
import type { TaskRunner } from "../operation/task.ts";
import type { WorkerSettings } from "./messages.ts";
import type { TaskContext } from "./serve-tasks.ts";
import type { WorkerPool } from "./worker-pool.ts";

interface Workers extends TaskRunner<TaskContext> {
  /** Ends the workers; what they still do is cut short. */
  readonly close: () => Promise<void>;
}

interface RunnerOptions {
  readonly inThreads?: boolean;
  /** The release of the Core Rule Set that is in force when a task begins. */
  readonly coreRelease?: () => SharedRelease | undefined;
  /** The program of each thread, where it is another one. */
  readonly program?: URL | undefined;
}

/** Runs small tasks at once, and the others `inThreads`. What starts these is loaded with the first of them. */
export function createTaskRunner(
  context: TaskContext,
  { inThreads = true, coreRelease = () => undefined, program }: RunnerOptions = {},
): Workers {
  let opening: Promise<WorkerPool> | undefined;
  return {
    runTask: async (task, caller, input, watch = {}) => {
      const { onProgress = () => undefined } = watch;
      if (!inThreads || task.isSmall(input)) return task.run(context, caller, input, onProgress);
      const pool = await (opening ??= openPool(context, program));
      const { user, credential, address } = caller;
      const now = context.now().getTime();
      const { result, auditLogId } = await pool.run({
        order: {
          task: task.name,
          caller: { user, credential, address },
          input,
          coreRelease: coreRelease(),
          now,
        },
        handedOver: task.handsOver?.(input) ?? [],
        accountId: input.accountId,
        owner: partyOf(caller),
        isBrief: task.isBrief,
        watch,
      });
      if (auditLogId !== undefined) caller.noteAuditLog(auditLogId);
      return result as Awaited<ReturnType<typeof task.run>>;
    },
    close: async () => (await opening)?.close(),
  };
}

async function openPool(
  { db, vendor, originNetworks }: TaskContext,
  program: URL | undefined,
): Promise<WorkerPool> {
  const { WorkerPool: Pool } = await import("./worker-pool.ts");
  const settings: WorkerSettings = { location: db.location, vendor, originNetworks };
  return new Pool({ settings, lend: db.lend, ...(program && { program }) });
}
