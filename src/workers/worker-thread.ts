import { Worker } from "node:worker_threads";

import { errorCodes } from "../core/error-codes.ts";
import { AppError, overloaded } from "../core/error.ts";
import type { TaskWatch } from "../operation/task.ts";
import type { Database } from "../storage/database.ts";
import { toError, toPlainError, type FromWorker, type Order, type ToWorker } from "./messages.ts";

/** The answer of a finished task. */
export type Done = Pick<Extract<FromWorker, { readonly kind: "done" }>, "result" | "auditLogId">;

export interface ThreadOptions {
  /** The program that the thread runs; that of `task.worker.ts` unless a test has its own. */
  readonly program?: URL;
  readonly settings: unknown;
  /** The store of this thread, which the worker has in turns. */
  readonly lend: Database["lend"];
  readonly heapMegabytesMax: number;
}

interface Running {
  readonly resolve: (done: Done) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
  readonly watch: TaskWatch;
}

const taskProgram = new URL("./task.worker.ts", import.meta.url);

/** A worker thread that does one task at a time, and never keeps the process alive. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #lend: Database["lend"];
  /** The functions that end its turns, by the number of the turn. */
  readonly #turns = new Map<number, () => void>();
  readonly #exited: Promise<void>;
  #hasExited = false;
  #running: Running | undefined;
  /** The reason why it is about to exit. */
  #failure: Error | undefined;

  /** Errors: 503 code 10505 where the system has no thread left. */
  constructor({ program = taskProgram, settings, lend, heapMegabytesMax }: ThreadOptions) {
    this.#lend = lend;
    try {
      this.#worker = new Worker(program, {
        name: "tasks",
        workerData: settings,
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
      });
    } catch (error) {
      throw failed(error);
    }
    this.#worker.unref();
    this.#worker.on("message", (message: FromWorker) => this.#hear(message));
    this.#worker.on("error", (error) => (this.#failure ??= failureOf(error)));
    this.#exited = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#afterExit();
        resolve();
      });
    });
  }

  /** Whether it takes no more tasks. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  /**
   * Hands the buffers over. The thread ends with a task that is aborted. Errors: those of the task, those of
   * `failureOf` and `tookTooLong`, and the reason of the signal.
   */
  run(order: Order, handedOver: readonly ArrayBuffer[], msMax: number, watch: TaskWatch = {}): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#post({ kind: "run", order }, handedOver);
      const deadline = setTimeout(() => void this.#stop(tookTooLong(msMax)), msMax).unref();
      this.#running = { resolve, reject, deadline, watch };
      watch.signal?.addEventListener("abort", this.#abort);
    });
  }

  /** Lets it close the store and waits until it is gone; a task that runs is cut short. */
  async end(): Promise<void> {
    if (this.#running === undefined) this.#post({ kind: "end" });
    else await this.#stop(failed());
    await this.#exited;
  }

  readonly #abort = (): void => void this.#stop(this.#running?.watch.signal?.reason);

  async #stop(failure: Error): Promise<void> {
    this.#failure ??= failure;
    await this.#worker.terminate();
  }

  #post(message: ToWorker, handedOver: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, handedOver);
  }

  #hear(message: FromWorker): void {
    if (message.kind === "turn wanted") this.#giveTurn(message.turn);
    else if (message.kind === "turn over") this.#endTurn(message.turn);
    else if (message.kind === "progress") this.#running?.watch.onProgress?.(message.progress);
    else {
      const running = this.#takeRunning();
      if (message.kind === "done") running?.resolve(message);
      else running?.reject(toError(message.error));
    }
  }

  #giveTurn(turn: number): void {
    const lent = this.#lend(async () => {
      if (this.#hasExited) return;
      await new Promise<void>((resolve) => {
        this.#turns.set(turn, resolve);
        this.#post({ kind: "turn", turn });
      });
    });
    lent.catch((error: unknown) => this.#post({ kind: "turn", turn, error: toPlainError(error) }));
  }

  #endTurn(turn: number): void {
    this.#turns.get(turn)?.();
    this.#turns.delete(turn);
  }

  #takeRunning(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.deadline);
    running?.watch.signal?.removeEventListener("abort", this.#abort);
    return running;
  }

  /** Its connection to the store has ended with it, and what it had not committed is undone. */
  #afterExit(): void {
    this.#hasExited = true;
    for (const turn of this.#turns.keys()) this.#endTurn(turn);
    this.#takeRunning()?.reject(this.#failure ?? failed());
  }
}

/** Errors: 413 code 10413 where a worker has no memory left, else 503 code 10505. */
function failureOf(error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ERR_WORKER_OUT_OF_MEMORY") return failed(error);
  return new AppError(
    "too-large",
    errorCodes.request.bodyTooLarge,
    "The request takes more memory than one request may have",
    { cause: error },
  );
}

function failed(cause?: unknown): AppError {
  return overloaded("The request was not finished. Please try again.", cause);
}

function tookTooLong(msMax: number): AppError {
  return overloaded(`The request takes longer than ${msMax / 1000} seconds`);
}
