import type { Engines } from "../core/expression/compile.ts";
import { hashEngine } from "./hash-engine.ts";
import { createRegexEngine } from "./regex-engine.ts";

/** What compiled expressions need, for as long as the process lives. */
export function createEngines(): Engines {
  return { regexes: createRegexEngine(), hashes: hashEngine };
}
