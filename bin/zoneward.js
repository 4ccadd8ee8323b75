#!/usr/bin/env -S node --min-semi-space-size=4 --max-semi-space-size=8
// JavaScript, and no bundle: an old Node.js has to read this file to say that it is too old.
import { nodeComplaint } from "./node-complaint.js";

const bundle = new URL("../dist/main.js", import.meta.url);

const complaint =
  nodeComplaint() ??
  (process.getBuiltinModule("fs").existsSync(bundle)
    ? undefined
    : "is not built: run `npm ci` with its development dependencies, or `npm run build`");
if (complaint === undefined) {
  const { cacheCompiledCode } = await import(new URL("compile-cache.js", bundle).href);
  cacheCompiledCode();
  await import(bundle.href);
} else {
  process.stderr.write(`zoneward: ${complaint}\n`);
  process.exitCode = 1;
}
