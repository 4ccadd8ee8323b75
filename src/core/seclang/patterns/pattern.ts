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
  /** The first match and what its groups hold; undefined where there is none. */
  readonly find: (bytes: string) => readonly (string | undefined)[] | undefined;
  /** Texts in lower case of which at least one stands in whatever it matches; undefined where none can be told. */
  readonly literals: readonly string[] | undefined;
}

/** How much of a value the few patterns see that need backtracking. */
export const backtrackedOctetsMax = 512;

/**
 * Compiles a pattern written for PCRE; what matching needs is made when it is first asked. Matching takes time linear in the text.
 * Throws PatternError.
 */
export function compilePattern(written: string): Pattern {
  const { root, groupCount, needsBacktracking } = parsePattern(written);
  const literals = requiredLiterals(root);
  if (needsBacktracking) return { ...backtrackingPattern(compileBacktracking(root)), literals };
  requireSize(root);
  let program: Program | undefined;
  let automaton: Automaton | undefined;
  // Most patterns are never asked, so what was parsed is not kept.
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

/** Whether whatever it matches is a whole value. */
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
