#!/usr/bin/env node
// JavaScript, unlike the rest: nothing has to be stripped before the cache of what was stripped is on.
import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("./cli/cli.ts");
process.exitCode = await run(process.argv.slice(2), process.env);
