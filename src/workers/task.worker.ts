import { parentPort, workerData } from "node:worker_threads";

import { cacheCompiledCode } from "../files/compile-cache.ts";
import type { WorkerSettings } from "./messages.ts";

// Code that is imported from here on is compiled once for all workers.
cacheCompiledCode();
const { serveTasks } = await import("./serve-tasks.ts");
if (parentPort !== null) serveTasks(parentPort, workerData as WorkerSettings);
