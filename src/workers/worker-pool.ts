import { errorCodes } from "../core/error-codes.ts";
import { AppError, overloaded } from "../core/error.ts";
import { FairQueue } from "../core/fair-queue.ts";
import type { TaskWatch } from "../operation/task.ts";
import type { Order } from "./messages.ts";
import { WorkerThread, type Done, type ThreadOptions } from "./worker-thread.ts";

interface PoolLimits {
  readonly threadsMax: number;
  /** Tasks that are not brief at a time, and never two of one owner: a thread is left to those that are. */
  readonly longTasksMax: number;
  /**
   * Long tasks that wait, each with the file that was uploaded. Above it, the newest of the account with the most goes.
   */
  readonly waitingMax: number;
  readonly waitingOfOwnerMax: number;
  readonly taskMsMax: number;
  /** Milliseconds that a thread without a task stays. */
  readonly idleMsMax: number;
  /** Three times what the largest inputs take: a heap that is full may end the process and not only the thread. */
  readonly heapMegabytesMax: number;
}

const limitsDefault: PoolLimits = {
  threadsMax: 3,
  longTasksMax: 2,
  waitingMax: 16,
  waitingOfOwnerMax: 4,
  taskMsMax: 900_000,
  idleMsMax: 30_000,
  heapMegabytesMax: 1_024,
};

interface PoolOptions extends Omit<ThreadOptions, "heapMegabytesMax"> {
  readonly limits?: Partial<PoolLimits>;
}

/** A task that is asked for. */
interface Request {
  readonly order: Order;
  readonly handedOver: readonly ArrayBuffer[];
  /** The account whose turn the task takes. */
  readonly accountId: string;
  /** The caller, of whom there may be many in an account. */
  readonly owner: string;
  readonly isBrief: boolean;
  readonly watch?: TaskWatch;
}

interface Job extends Request {
  readonly resolve: (done: Done) => void;
  readonly reject: (error: unknown) => void;
}

/** Worker threads: they are started when they are needed, replaced when they fail and ended when they are idle. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #limits: PoolLimits;
  readonly #brief = new FairQueue<Job>();
  readonly #long = new FairQueue<Job>();
  readonly #ownersOfLong = new Set<string>();
  readonly #threads = new Set<WorkerThread>();
  readonly #idle = new Map<WorkerThread, NodeJS.Timeout>();
  #isClosed = false;

  constructor({ limits, ...options }: PoolOptions) {
    this.#options = options;
    this.#limits = { ...limitsDefault, ...limits };
  }

  /**
   * Runs a task when a thread is free. Errors: those of the task and of the thread; 429 code 971 and 503 code 10505
   * where too many wait, of its owner or of all; the reason of its signal.
   */
  run(request: Request): Promise<Done> {
    const { accountId, isBrief, watch: { signal } = {} } = request;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw busy();
      signal?.throwIfAborted();
      const job: Job = { ...request, resolve, reject };
      if (isBrief) this.#brief.add(accountId, job);
      else this.#addLong(job);
      signal?.addEventListener("abort", () => {
        if ((isBrief ? this.#brief : this.#long).remove(accountId, job)) reject(signal.reason);
      });
      this.#startWaiting();
    });
  }

  /** Refuses what waits and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of [...this.#brief.clear(), ...this.#long.clear()]) reject(busy());
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  #addLong(job: Job): void {
    const { waitingMax, waitingOfOwnerMax } = this.#limits;
    const { accountId, owner } = job;
    const own = this.#long.lengthOf(accountId, (waiting) => waiting.owner === owner);
    if (own >= waitingOfOwnerMax) throw tooManyOfOwner();
    for (const out of this.#long.addWithin(waitingMax, accountId, job)) out.reject(busy());
  }

  #startWaiting(): void {
    while (this.#idle.size > 0 || this.#threads.size < this.#limits.threadsMax) {
      const job = this.#brief.take(() => true) ?? this.#takeLong();
      if (job === undefined) return;
      this.#begin(job);
    }
  }

  #begin(job: Job): void {
    let thread: WorkerThread;
    try {
      thread = this.#takeThread();
    } catch (error) {
      job.reject(error);
      return;
    }
    void this.#work(thread, job);
  }

  #takeLong(): Job | undefined {
    if (this.#ownersOfLong.size >= this.#limits.longTasksMax) return undefined;
    return this.#long.take(({ owner }) => !this.#ownersOfLong.has(owner));
  }

  #takeThread(): WorkerThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (!thread.hasExited) return thread;
      this.#threads.delete(thread);
    }
    const { heapMegabytesMax } = this.#limits;
    const thread = new WorkerThread({ ...this.#options, heapMegabytesMax });
    this.#threads.add(thread);
    return thread;
  }

  async #work(
    thread: WorkerThread,
    { order, handedOver, owner, isBrief, watch, resolve, reject }: Job,
  ): Promise<void> {
    if (!isBrief) this.#ownersOfLong.add(owner);
    await thread.run(order, handedOver, this.#limits.taskMsMax, watch).then(resolve, reject);
    if (!isBrief) this.#ownersOfLong.delete(owner);
    if (thread.hasExited) this.#threads.delete(thread);
    else {
      const timer = setTimeout(() => void this.#end(thread), this.#limits.idleMsMax).unref();
      this.#idle.set(thread, timer);
    }
    this.#startWaiting();
  }

  async #end(thread: WorkerThread): Promise<void> {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    await thread.end();
    this.#threads.delete(thread);
    this.#startWaiting();
  }
}

function tooManyOfOwner(): AppError {
  return new AppError(
    "too-many-requests",
    errorCodes.request.tooMany,
    "Please wait until your earlier uploads are finished",
  );
}

function busy(): AppError {
  return overloaded("Too much is being worked on at the moment. Please try again.");
}
