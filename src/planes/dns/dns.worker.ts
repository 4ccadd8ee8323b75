import { parentPort, workerData } from "node:worker_threads";

import { cacheCompiledCode } from "../../files/compile-cache.ts";
import type { DnsWorkerSettings } from "./dns-workers.ts";

// Imports from here on are compiled once for all workers.
cacheCompiledCode();
const { serveDns } = await import("./serve-dns.ts");
if (parentPort !== null) await serveDns(parentPort, workerData as DnsWorkerSettings);
