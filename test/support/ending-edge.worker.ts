import { endEdgeWorkers } from "./edge-workers.ts";

// A thread of the edge that ends when a test says so.
const ending = new BroadcastChannel(endEdgeWorkers);
ending.addEventListener("message", () => process.exit(7));
ending.unref();
await import("../../src/planes/edge/edge.worker.ts");
