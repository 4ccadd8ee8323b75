import { parentPort, workerData } from "node:worker_threads";

import type { ToWorker, WorkerSettings } from "../../src/workers/messages.ts";
import { serveTasks } from "../../src/workers/serve-tasks.ts";

// A thread of tasks that gets no release of the Core Rule Set.
const { port1, port2 } = new MessageChannel();
parentPort?.on("message", (message: ToWorker) => {
  const kept =
    message.kind === "run" ? { ...message, order: { ...message.order, coreRelease: undefined } } : message;
  port1.postMessage(kept);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
port1.on("message", (message) => parentPort?.postMessage(message));
port1.on("close", () => parentPort?.close());
serveTasks(port2, workerData as WorkerSettings);
