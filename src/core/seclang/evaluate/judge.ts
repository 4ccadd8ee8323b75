import type { Entry } from "../bodies/entry.ts";
import { toNumber } from "../operators/compile-operator.ts";
import type { Target } from "../parse/targets.ts";
import type { Chain } from "../transform/chain.ts";
import type { CompiledTarget, Link, Phase, Rule, Test } from "./rule.ts";
import { setBody, setRequest, setResponse, type RuleRequest, type RuleResponse } from "./request.ts";
import type { RuleSet } from "./rule-set.ts";
import type { Severity } from "./severity.ts";
import { Transaction } from "./transaction.ts";

/** A rule that matched, with the value that its last link matched. */
export interface RuleMatch {
  readonly id: number;
  readonly message: string;
  readonly severity: Severity | undefined;
  readonly tags: readonly string[];
  readonly logData: string | undefined;
  /** `ARGS:q`; empty for a rule without a test. */
  readonly variable: string;
  readonly value: string;
  readonly isLogged: boolean;
  /** What it added to the score of the request: its score for each value that matched. */
  readonly score: number;
}

/** What rules made of a request, in the order in which they matched. */
export interface Judgement {
  readonly matches: readonly RuleMatch[];
  /** What rules left in a variable: `("TX", "anomaly_score")`. */
  readonly read: Transaction["read"];
}

/**
 * Judges a request by all phases, and a response where there is one. No rule stops it: what matches is for the caller to
 * act on. `variables` are set in `TX` before the first rule.
 */
export function judgeRequest(
  { phases, markers }: RuleSet,
  request: RuleRequest,
  response?: RuleResponse,
  variables: ReadonlyMap<string, string> = new Map(),
): Judgement {
  const transaction = new Transaction();
  for (const [name, value] of variables) {
    transaction.setVariable({ collection: "TX", name: () => name, change: "set", value: () => value });
  }
  const matches: RuleMatch[] = [];
  const run = (phase: Phase): void => judgePhase(phases[phase], markers, transaction, matches);
  setRequest(transaction, request);
  run(1);
  setBody(transaction, request);
  run(2);
  if (response !== undefined) {
    setResponse(transaction, response);
    run(3);
    run(4);
  }
  return { matches, read: transaction.read };
}

function judgePhase(
  rules: readonly Rule[],
  markers: ReadonlyMap<string, number>,
  transaction: Transaction,
  matches: RuleMatch[],
): void {
  let resumeAt = 0;
  let skipped = 0;
  let scored = scoreSoFar(transaction);
  for (const rule of rules) {
    if (transaction.isOff) return;
    if (rule.position < resumeAt) continue;
    if (skipped > 0) {
      skipped -= 1;
      continue;
    }
    if (transaction.isRemoved(rule)) continue;
    const match = judgeRule(rule, transaction);
    if (match === undefined) continue;
    const score = scoreSoFar(transaction);
    matches.push({ ...match, score: score - scored });
    scored = score;
    skipped = rule.skip;
    if (rule.skipAfter !== undefined) resumeAt = markers.get(rule.skipAfter) ?? Infinity;
  }
}

/** Of each paranoia level, before release 4.0 and since. */
const scoreNames = [1, 2, 3, 4].flatMap((level) => [
  `anomaly_score_pl${level}`,
  `inbound_anomaly_score_pl${level}`,
]);

function scoreSoFar(transaction: Transaction): number {
  return scoreNames.reduce((sum, name) => sum + toNumber(transaction.read("TX", name) ?? "0"), 0);
}

function judgeRule(rule: Rule, transaction: Transaction): Omit<RuleMatch, "score"> | undefined {
  transaction.startRule();
  const removed = transaction.removedTargets(rule);
  for (const link of rule.links) {
    if (!judgeLink(link, removed, transaction)) return undefined;
  }
  const { id, severity, tags, isLogged } = rule;
  const variable = transaction.read("MATCHED_VAR_NAME", undefined) ?? "";
  const value = transaction.read("MATCHED_VAR", undefined) ?? "";
  const message = rule.describe(transaction.read);
  return {
    id,
    message,
    severity,
    tags,
    logData: rule.logData?.(transaction.read),
    variable,
    value,
    isLogged,
  };
}

/** What a link does, it does for each value that matches; also where a later link of its chain does not. */
function judgeLink(link: Link, removed: readonly Target[], transaction: Transaction): boolean {
  if (link.test === undefined) {
    act(link, transaction);
    return true;
  }
  const { test } = link;
  let hasMatched = false;
  const judgeText = (target: CompiledTarget, name: string, text: string): void => {
    const found = find(test, text, transaction);
    if ((found === undefined) !== test.isNegated) return;
    hasMatched = true;
    transaction.noteMatch(nameOf(target, name), text);
    if (test.captures && found !== undefined) transaction.capture(found);
    act(link, transaction);
  };
  for (const target of test.targets.included) {
    const entries = selectEntries(target, test, removed, transaction);
    const subjects = target.isCount ? [{ name: target.name ?? "", value: String(entries.length) }] : entries;
    for (const { name, value } of subjects) {
      if (!test.isMultiMatch) {
        judgeText(target, name, transaction.transformed.text(test.transformations, value));
        continue;
      }
      for (const text of everyForm(test.transformations, value)) judgeText(target, name, text);
    }
  }
  return hasMatched;
}

function find({ operator, literalGroup, transformations }: Test, text: string, transaction: Transaction) {
  if (
    literalGroup !== undefined &&
    !transaction.transformed.hasLiteral(transformations, text, literalGroup)
  ) {
    return undefined;
  }
  return operator(text, transaction.read);
}

function act({ setVariables, controls }: Link, transaction: Transaction): void {
  for (const control of controls) transaction.control(control);
  for (const change of setVariables) transaction.setVariable(change);
}

function selectEntries(
  target: CompiledTarget,
  { targets: { excluded } }: Test,
  removed: readonly Target[],
  transaction: Transaction,
): readonly Entry[] {
  const entries = transaction.select(target);
  if (entries.length === 0) return entries;
  if (excluded.length === 0 && removed.length === 0) return entries;
  const without = excluded.filter(({ variable }) => variable === target.variable);
  const taken = removed.filter(({ variable }) => variable === target.variable);
  if (without.length === 0 && taken.length === 0) return entries;
  return entries.filter(
    ({ name }) =>
      !without.some(({ isSelected }) => isSelected?.(name) !== false) &&
      !taken.some((gone) => isNamed(gone, name)),
  );
}

function isNamed({ selector }: Target, name: string): boolean {
  return selector === undefined || (selector.kind === "name" && selector.name === name.toLowerCase());
}

/** The value, and what it is after each transformation that changes it. */
function everyForm({ steps }: Chain, value: string): readonly string[] {
  const texts = [value];
  for (const step of steps) {
    const last = texts.at(-1) ?? "";
    const next = step(last);
    if (next !== last) texts.push(next);
  }
  return texts;
}

function nameOf({ variable, isCount }: CompiledTarget, name: string): string {
  return `${isCount ? "&" : ""}${variable}${name === "" ? "" : `:${name}`}`;
}
