import { Automaton } from "./automaton.ts";
import { findGroups } from "./find.ts";
import { requiredLiterals } from "./literals.ts";
import { type Assertion, type PatternNode, parsePattern } from "./parse.ts";
import { compileProgram, requireSize, type Program } from "./program.ts";
import { membersOf, octetCount, type OctetSet } from "./octets.ts";

export interface Pattern {
  readonly isMatch: (bytes: string) => boolean;
  /** The first match and its capture groups; undefined if there is none. */
  readonly find: (bytes: string) => readonly (string | undefined)[] | undefined;
  /** Lower-case literals at least one of which every match contains; undefined if none are known. */
  readonly literals: readonly string[] | undefined;
}

/** Facts about a pattern before it is run; plain data. */
export interface PatternFacts {
  readonly literals?: readonly string[] | undefined;
  /** Whether it has look-around or back references, which an automaton cannot match. */
  readonly needsBacktracking: boolean;
  /** Whether each match is a whole value, and there are no capture groups. */
  readonly isWhole: boolean;
}

/** Octets of a value that patterns are matched against which need backtracking. */
export const backtrackedOctetsMax = 512;

/** Parses a PCRE pattern. Throws PatternError for one that cannot be compiled. */
export function factsOf(written: string): PatternFacts {
  const { root, groupCount, needsBacktracking } = parsePattern(written);
  if (needsBacktracking) compileBacktracking(root);
  else requireSize(root);
  return {
    literals: requiredLiterals(root),
    needsBacktracking,
    isWhole: groupCount === 0 && isAnchored(root),
  };
}

/**
 * Compiles a PCRE pattern, of which `facts` are known; what runs it is built on first use. Matching takes
 * time linear in the text. Throws PatternError.
 */
export function compilePattern(written: string, facts = factsOf(written)): Pattern {
  const { literals, needsBacktracking, isWhole } = facts;
  // Most patterns are never run, so the parsed pattern is not kept.
  const parse = (): PatternNode => parsePattern(written).root;
  if (needsBacktracking) return { ...backtrackingPattern(() => compileBacktracking(parse())), literals };
  let program: Program | undefined;
  let automaton: Automaton | undefined;
  const compiled = (): Program => (program ??= compileProgram(parse()));
  const isMatch = (bytes: string): boolean => (automaton ??= new Automaton(compiled())).isMatch(bytes);
  return {
    literals,
    isMatch,
    find: isWhole
      ? (bytes) => (isMatch(bytes) ? [bytes] : undefined)
      : (bytes) => findGroups(compiled(), bytes),
  };
}

/** Whether each match is a whole value. */
function isAnchored(root: PatternNode): boolean {
  if (root.kind !== "sequence") return false;
  const [first, last] = [root.parts[0], root.parts.at(-1)];
  return isAssertion(first, "start") && isAssertion(last, "end");
}

function isAssertion(node: PatternNode | undefined, assertion: Assertion): boolean {
  return node?.kind === "assertion" && node.assertion === assertion;
}

function backtrackingPattern(compile: () => RegExp): Pick<Pattern, "isMatch" | "find"> {
  let expression: RegExp | undefined;
  const compiled = (): RegExp => (expression ??= compile());
  return {
    isMatch: (bytes) => compiled().test(bytes.slice(0, backtrackedOctetsMax)),
    find: (bytes) => compiled().exec(bytes.slice(0, backtrackedOctetsMax)) ?? undefined,
  };
}

/** Translates a pattern to a JavaScript RegExp, for look-around and back references. */
export function compileBacktracking(root: PatternNode): RegExp {
  return new RegExp(textOf(root), "");
}

const assertions = { start: "^", end: "$", boundary: String.raw`\b`, "no-boundary": String.raw`\B` } as const;

function textOf(node: PatternNode): string {
  switch (node.kind) {
    case "octet":
      return classOf(node.octets);
    case "sequence":
      return node.parts.map(textOf).join("");
    case "alternatives":
      return `(?:${node.branches.map(textOf).join("|")})`;
    case "repetition": {
      const { part, least, most, isLazy } = node;
      return `(?:${textOf(part)}){${least},${most === Infinity ? "" : most}}${isLazy ? "?" : ""}`;
    }
    case "group":
      return `(${textOf(node.part)})`;
    case "assertion":
      return assertions[node.assertion];
    case "look-around":
      return `(?${node.sign}${textOf(node.part)})`;
    case "reference":
      return `(?:\\${node.index})`;
  }
}

function classOf(set: OctetSet): string {
  const members = membersOf(set);
  if (members.length === octetCount) return "[^]";
  const ranges: [first: number, last: number][] = [];
  for (const octet of members) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === octet - 1) last[1] = octet;
    else ranges.push([octet, octet]);
  }
  return `[${ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("")}]`;
}

function escaped(octet: number): string {
  return String.raw`\x${octet.toString(16).padStart(2, "0")}`;
}
