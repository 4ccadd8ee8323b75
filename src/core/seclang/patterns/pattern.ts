import { Automaton } from "./automaton.ts";
import { compileBacktracking } from "./backtracking.ts";
import { findGroups } from "./find.ts";
import { requiredLiterals } from "./literals.ts";
import type { Assertion, PatternNode } from "./node.ts";
import { parsePattern } from "./parse.ts";
import { compileProgram, requireSize, type Program } from "./program.ts";

/** A compiled pattern, on byte strings. */
export interface Pattern {
  readonly isMatch: (bytes: string) => boolean;
  /** The first match and its capture groups; undefined if there is none. */
  readonly find: (bytes: string) => readonly (string | undefined)[] | undefined;
  /** Lower-case literals at least one of which every match contains; undefined if none are known. */
  readonly literals: readonly string[] | undefined;
}

/** How many octets of a value the few patterns that need backtracking are matched against. */
export const backtrackedOctetsMax = 512;

/**
 * Compiles a PCRE pattern; automaton and program are built on first use. Matching takes time linear in the
 * text. Throws PatternError.
 */
export function compilePattern(written: string): Pattern {
  const { root, groupCount, needsBacktracking } = parsePattern(written);
  const literals = requiredLiterals(root);
  if (needsBacktracking) return { ...backtrackingPattern(compileBacktracking(root)), literals };
  requireSize(root);
  let program: Program | undefined;
  let automaton: Automaton | undefined;
  // Most patterns are never run, so the parsed pattern is not kept.
  const compiled = (): Program => (program ??= compileProgram(parsePattern(written).root));
  const isMatch = (bytes: string): boolean => (automaton ??= new Automaton(compiled())).isMatch(bytes);
  const isWhole = groupCount === 0 && isAnchored(root);
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

function backtrackingPattern(expression: RegExp): Pick<Pattern, "isMatch" | "find"> {
  return {
    isMatch: (bytes) => expression.test(bytes.slice(0, backtrackedOctetsMax)),
    find: (bytes) => expression.exec(bytes.slice(0, backtrackedOctetsMax)) ?? undefined,
  };
}
