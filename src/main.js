#!/usr/bin/env -S node --max-semi-space-size=8 --no-separate-gc-phases
// JavaScript, unlike the rest: nothing has to be stripped before the cache of what was stripped is on.
import { enableCompileCache, registerHooks } from "node:module";

enableCompileCache();
// Relative imports name their files in full: not asking the disk where each of a thousand is makes the start shorter.
registerHooks({
  resolve: (specifier, context, resolveByDefault) =>
    /^\.\.?\//.test(specifier) && context.conditions.includes("import")
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : resolveByDefault(specifier, context),
});
const { run } = await import("./cli/cli.ts");
process.exitCode = await run(process.argv.slice(2), process.env);
