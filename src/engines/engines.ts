import { createHmac, hash } from "node:crypto";
import { createRequire } from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  compileExpression,
  compileValueExpression,
  type Engines,
} from "../core/expression/compile/compile.ts";
import type { HashEngine, RegexEngine } from "../core/expression/engines.ts";
import { ExpressionError } from "../core/expression/expression-error.ts";
import { ruleLimits } from "../core/expression/limits.ts";
import { parseExpression, parseValueExpression } from "../core/expression/parse.ts";
import { PatternChecks } from "../core/expression/pattern-checks.ts";
import { createRregexEngine, type Rregex } from "../core/expression/rregex-engine.ts";
import type { ExpressionEngine } from "../operation/context.ts";

/** Creates the engines that compiled expressions need. They last as long as the process. */
export function createEngines(): Engines {
  return { regexes: createRegexEngine(), hashes: hashEngine };
}

/** The filter language with its engines. It is loaded when the first request needs it, as few do. */
export function createExpressionEngine(engines: Engines): ExpressionEngine {
  const patterns = new PatternChecks(engines.regexes);
  return {
    compileFilter: (source, options) => compileExpression(source, engines, options),
    compileValue: (source, options) => compileValueExpression(source, engines, options),
    issueInFilter: (source, options) => issueOf(() => parseExpression(source, { ...options, patterns })),
    issueInValue: (source, options) => issueOf(() => parseValueExpression(source, { ...options, patterns })),
    prepareChecks: async (body, limits = ruleLimits) => {
      for (const pattern of patterns.uncheckedIn(body, limits)) {
        patterns.check(pattern);
        await nextTurn();
      }
      // The check itself takes a turn of the event loop.
      await nextTurn();
    },
  };
}

function issueOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

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

/** The encoding of byte strings, in which each character stands for one octet. */
const byteString = "latin1";

/** Hash functions by the cryptography of Node.js. */
export const hashEngine: HashEngine = {
  sha256: (bytes) => hash("sha256", Buffer.from(bytes, byteString), "buffer").toString(byteString),
  hmacSha256: (key, bytes) =>
    createHmac("sha256", Buffer.from(key, byteString))
      .update(bytes, byteString)
      .digest()
      .toString(byteString),
};
