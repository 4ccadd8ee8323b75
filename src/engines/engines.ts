import type { Engines } from "../core/expression/compile/compile.ts";
import { hashEngine } from "./hash-engine.ts";
import { createRegexEngine } from "./regex-engine.ts";

/** Creates the engines that compiled expressions need. They last as long as the process. */
export function createEngines(): Engines {
  return { regexes: createRegexEngine(), hashes: hashEngine };
}
