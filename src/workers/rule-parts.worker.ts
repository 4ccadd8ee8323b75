import { parentPort } from "node:worker_threads";

import { cacheCompiledCode } from "../files/compile-cache.ts";

// Code that is imported from here on is compiled once for all workers.
cacheCompiledCode();
const { serveRuleParts } = await import("./serve-rule-parts.ts");
if (parentPort !== null) serveRuleParts(parentPort);
