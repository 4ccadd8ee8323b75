/** A worker as a test wants it: the name of a task says what becomes of it. */
import { parentPort, threadId } from "node:worker_threads";

import { AppError } from "../../src/core/error.ts";
import { toPlainError, type FromWorker, type Order, type ToWorker } from "../../src/workers/messages.ts";

const port = parentPort;
if (port === null) throw new Error("only as a worker");
const post = (message: FromWorker): void => port.postMessage(message);

const tasks: Readonly<Record<string, (input: unknown) => void>> = {
  answer: (input) => post({ kind: "done", result: input, auditLogId: undefined }),
  /** Reports what it gets, and goes on. */
  report: (input) => post({ kind: "progress", progress: input as object }),
  thread: () => post({ kind: "done", result: threadId, auditLogId: undefined }),
  /** Ends when the test sets and wakes the number. */
  wait: (input) => {
    Atomics.wait(input as Int32Array<SharedArrayBuffer>, 0, 0);
    post({ kind: "done", result: undefined, auditLogId: undefined });
  },
  refuse: () => {
    const error = new AppError("invalid", 9350, "Line 3: no", {
      pointer: "/file",
      chain: [{ code: 1, message: "2" }],
    });
    post({ kind: "failed", error: toPlainError(error) });
  },
  crash: () => {
    throw new Error("an error of the worker");
  },
  exit: () => process.exit(3),
  /** Ends in the words of Node; a heap that is really full may end the whole process. */
  "run out of memory": () => {
    throw Object.assign(new Error("no memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
  },
  hang: () => {
    for (;;);
  },
  /** Keeps the turn that it gets. */
  "keep a turn": () => post({ kind: "turn wanted", turn: 1 }),
};

function run({ task, input }: Order): void {
  tasks[task]?.(input);
}

port.on("message", (message: ToWorker) => {
  if (message.kind === "run") run(message.order);
  else if (message.kind === "turn") process.exit(4);
  else port.close();
});
