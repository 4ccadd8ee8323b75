import { createRequire } from "node:module";

import type { RegexEngine } from "../core/expression/engines.ts";
import { createRregexEngine, type Rregex } from "../core/expression/rregex-engine.ts";

/** Regular expressions of users. They last as long as the process; loading the engine takes some 30 ms. */
export function createRegexEngine(): RegexEngine {
  return createRregexEngine(loadInstance);
}

function loadInstance(): Rregex {
  const require = createRequire(import.meta.url);
  const path = require.resolve("rregex");
  const loaded = require(path) as typeof import("rregex") & Pick<Rregex, "__wasm">;
  // Without this, the next call would get the same module, and this one could never be collected.
  delete require.cache[path];
  return loaded;
}
