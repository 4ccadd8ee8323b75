import { parentPort, workerData } from "node:worker_threads";

import { cacheCompiledCode } from "../../files/compile-cache.ts";
import type { EdgeWorkerSettings } from "./edge-workers.ts";

// Imports from here on are compiled once for all workers.
cacheCompiledCode();
const { serveEdge } = await import("./serve-edge.ts");
if (parentPort !== null) await serveEdge(parentPort, workerData as EdgeWorkerSettings);
