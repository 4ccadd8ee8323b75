import type { Caller } from "../core/policy/caller.ts";

/** The caller of a task, as far as tasks and the audit log need it. */
export type TaskCaller = Pick<Caller, "user" | "credential" | "address" | "noteAuditLog">;

export interface OfAccount {
  /** The account whose zone or list the task is about: accounts take turns, however many members ask. */
  readonly accountId: string;
}

/**
 * Work whose size a caller chooses, with plain data as input and output. Large work runs in a worker thread,
 * which has a store and a context of its own.
 */
export interface Task<in C, in Input extends OfAccount, out Result> {
  readonly name: string;
  /**
   * Whether it takes a few milliseconds at most, or yields in between: then it runs in the calling thread.
   */
  readonly isSmall: (input: Input) => boolean;
  /** Whether it takes a second at most. One worker is kept free for brief tasks. */
  readonly isBrief: boolean;
  /** Buffers of the input that are transferred instead of copied. */
  readonly handsOver?: (input: Input) => readonly ArrayBuffer[];
  readonly run: (
    context: C,
    caller: TaskCaller,
    input: Input,
    report: (progress: object) => void,
  ) => Promise<Result>;
}

/** Follows a task while it goes on. */
export interface TaskWatch {
  /**
   * Ends a task that waits or runs in a worker: it fails with the reason of the signal. What it committed
   * stays.
   */
  readonly signal?: AbortSignal | undefined;
  /** Is called with plain data whenever the task reports how far it is. */
  readonly onProgress?: ((progress: object) => void) | undefined;
}

export interface TaskRunner<C> {
  /**
   * Errors: those of the task, 429 code 971 for a caller whose tasks wait already, 503 code 10505 where too
   * many wait, the worker fails or the task takes too long, 413 code 10413 where it takes too much memory.
   */
  readonly runTask: <Input extends OfAccount, Result>(
    task: Task<C, Input, Result>,
    caller: TaskCaller,
    input: Input,
    watch?: TaskWatch,
  ) => Promise<Result>;
}
