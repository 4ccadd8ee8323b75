#!/usr/bin/env -S node --min-semi-space-size=8 --max-semi-space-size=8 --no-separate-gc-phases --heap-growing-percent=20 --no-maglev
// JavaScript, unlike the rest: nothing has to be stripped before the cache of what was stripped is on.
import module from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(`zoneward: needs Node.js 24.15 or newer, and this is ${process.version}\n`);
  process.exit(1);
}
module.enableCompileCache();
// Relative imports name their files in full: not asking the disk where each of a thousand is, and which format its
// package gives it, makes the start shorter.
const formats = { ".ts": "module-typescript", mjs: "module" };
module.registerHooks({
  resolve: (specifier, context, resolveByDefault) =>
    /^\.\.?\//.test(specifier) && context.conditions.includes("import")
      ? {
          url: new URL(specifier, context.parentURL).href,
          format: formats[specifier.slice(-3)],
          shortCircuit: true,
        }
      : resolveByDefault(specifier, context),
});
const { run } = await import("./cli/cli.ts");
process.exitCode = await run(process.argv.slice(2), process.env);
