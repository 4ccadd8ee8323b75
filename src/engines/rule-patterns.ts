import { createRequire } from "node:module";

import { PatternError } from "../core/expression/regex-engine.ts";
import { fromCharacters, toCharacters, translatePattern } from "../core/expression/regex-dialect.ts";
import {
  backtrackedOctetsMax,
  type Pattern,
  type PatternEngine,
} from "../core/seclang/operators/pattern-engine.ts";

type Rregex = typeof import("rregex");
type Compiled = InstanceType<Rregex["RRegex"]>;

/** Stands in no haystack: octets are at most U+E0FF there. */
const separator = "\ue200";
const groupsMax = 10;
const template = Array.from({ length: groupsMax }, (_, index) => `\${${index}}`).join(separator);

/** Patterns of operators' rules, in one instance of WebAssembly. Each is compiled when it is first asked. */
export function createRulePatterns(): PatternEngine {
  const { RRegex } = createRequire(import.meta.url)("rregex") as Rregex;
  return {
    compile: (pattern) => linearPattern(pattern, RRegex),
    compileBacktracking: (pattern) => backtrackingPattern(pattern),
  };
}

function linearPattern(written: string, RRegex: Rregex["RRegex"]): Pattern {
  const { pattern } = translatePattern(written);
  let compiled: Compiled;
  try {
    compiled = new RRegex(pattern);
  } catch (error) {
    throw new PatternError(String(error));
  }
  return {
    isMatch: (bytes) => compiled.isMatch(toCharacters(bytes)),
    find: (bytes) => findGroups(compiled, toCharacters(bytes)),
  };
}

/** `captures` of the package leaves out groups that took no part, so their numbers are lost there. */
function findGroups(compiled: Compiled, text: string): readonly string[] | undefined {
  const found = compiled.find(text);
  if (found === undefined) return undefined;
  const before = indexOfOctet(text, found.start);
  const after = text.length - before - found.value.length;
  const replaced = compiled.replace(text, template);
  return replaced
    .slice(before, replaced.length - after)
    .split(separator)
    .map(fromCharacters);
}

/** Where the character stands that begins with that octet of UTF-8. */
function indexOfOctet(text: string, octet: number): number {
  let index = 0;
  for (let octets = 0; octets < octet; index += 1) octets += text.charCodeAt(index) > 0x7f ? 3 : 1;
  return index;
}

function backtrackingPattern(written: string): Pattern {
  let regex: RegExp;
  try {
    regex = new RegExp(written.replace(/^\(\?s\)/, ""), "s");
  } catch (error) {
    throw new PatternError(String(error));
  }
  return {
    isMatch: (bytes) => regex.test(bytes.slice(0, backtrackedOctetsMax)),
    find: (bytes) => regex.exec(bytes.slice(0, backtrackedOctetsMax)) ?? undefined,
  };
}
