import { hasGroup } from "../operators/literal-filter.ts";
import type { Target } from "../parse/targets.ts";
import type { Transformed, TransformedList } from "../transform/transformed.ts";
import type { Link, Phase, Rule, Test, RuleSet, Severity } from "./rule.ts";
import { setBody, setRequest, setResponse, type RuleRequest, type RuleResponse } from "./request.ts";
import type { Subject } from "./subjects.ts";
import { Transaction } from "./transaction.ts";

/** A rule that matched, with the value that the last link of its chain matched. */
export interface RuleMatch {
  readonly id: number;
  readonly message: string;
  readonly severity: Severity | undefined;
  readonly tags: readonly string[];
  /** `ARGS:q`; empty for a rule without a test. */
  readonly variable: string;
  readonly value: string;
  readonly isLogged: boolean;
  /** The number that it added to the anomaly score of the request, for all values that matched. */
  readonly score: number;
}

/** The result of evaluating rules on a request; matches are in order. */
export interface Judgement {
  readonly matches: readonly RuleMatch[];
  /** Reads a variable after the evaluation: `("TX", "anomaly_score")`. */
  readonly read: Transaction["read"];
}

/**
 * Evaluates the rules of all phases on a request and, if there is one, its response. No rule interrupts the
 * evaluation: the caller acts on the matches. `variables` are set in `TX` before the first rule.
 */
export function judgeRequest(
  { phases, markers }: RuleSet,
  request: RuleRequest,
  response?: RuleResponse,
  variables: ReadonlyMap<string, string> = new Map(),
): Judgement {
  const transaction = new Transaction();
  for (const [name, value] of variables) {
    transaction.setVariable({
      collection: "TX",
      name: () => name,
      isScore: false,
      change: "set",
      value: () => value,
    });
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
  for (const rule of rules) {
    if (transaction.isOff) return;
    if (rule.position < resumeAt) continue;
    if (skipped > 0) {
      skipped -= 1;
      continue;
    }
    const [{ test } = noLink] = rule.links;
    if (test !== undefined && transaction.cannotMatch(test)) continue;
    if (transaction.isRemoved(rule)) continue;
    const match = judgeRule(rule, transaction);
    if (match === undefined) continue;
    matches.push(match);
    skipped = rule.skip;
    if (rule.skipAfter !== undefined) resumeAt = markers.get(rule.skipAfter) ?? Infinity;
  }
}

const noLink = { test: undefined };

function judgeRule(rule: Rule, transaction: Transaction): RuleMatch | undefined {
  const before = transaction.score;
  transaction.startRule();
  const removed = transaction.removedTargets(rule);
  for (const link of rule.links) {
    if (!judgeLink(link, removed, transaction)) return undefined;
  }
  const { id, severity, tags, isLogged } = rule;
  const { name: variable, value } = transaction.lastMatch;
  return {
    id,
    message: rule.describe(transaction.read),
    severity,
    tags,
    variable,
    value,
    isLogged,
    score: transaction.score - before,
  };
}

/**
 * Runs the actions of a link for each value that matches, even if a later link of the chain does not match.
 */
function judgeLink(link: Link, removed: readonly Target[], transaction: Transaction): boolean {
  const { test } = link;
  if (test === undefined) {
    act(link, transaction);
    return true;
  }
  let hasMatched = false;
  for (const { subjects, values } of transaction.subjects(test.targets, removed)) {
    const matching = values && matchingValues(test, values, transaction);
    if (matching?.size === 0) continue;
    for (const subject of subjects) {
      if (judgeSubject(link, test, subject, matching, transaction)) hasMatched = true;
    }
  }
  return hasMatched;
}

/** The texts that match. The operator runs once for each distinct text. */
function matchingValues(
  test: Test,
  values: TransformedList,
  transaction: Transaction,
): ReadonlySet<Transformed> {
  const matching = new Set<Transformed>();
  for (const chain of test.chains) {
    for (const value of values.after(chain).values) {
      if (isMatching(test, value, transaction)) matching.add(value);
    }
  }
  return matching;
}

function judgeSubject(
  link: Link,
  test: Test,
  subject: Subject,
  matching: ReadonlySet<Transformed> | undefined,
  transaction: Transaction,
): boolean {
  let hasMatched = false;
  let last: Transformed | undefined;
  for (const chain of test.chains) {
    const value = subject.value.after(chain);
    if (value === last) continue;
    last = value;
    if (!(matching?.has(value) ?? isMatching(test, value, transaction))) continue;
    hasMatched = true;
    transaction.noteMatch(subject, value.text);
    if (test.captures && !test.isNegated) transaction.capture(test.operator, value.text);
    act(link, transaction);
  }
  return hasMatched;
}

function isMatching(
  { operator, literals, isNegated }: Test,
  value: Transformed,
  { read }: Transaction,
): boolean {
  if (literals !== undefined && !hasGroup(value.groups(literals.groups.filter), literals.group)) {
    return isNegated;
  }
  return operator.isMatch(value.text, read) !== isNegated;
}

function act({ setVariables, controls }: Link, transaction: Transaction): void {
  for (const control of controls) transaction.control(control);
  for (const change of setVariables) transaction.setVariable(change);
}

/** 1 to 4: rules of higher levels detect more attacks and have more false positives. */
export type ParanoiaLevel = 1 | 2 | 3 | 4;

/** The names that the variable has had in the releases of the Core Rule Set. */
const names = ["paranoia_level", "blocking_paranoia_level", "detection_paranoia_level"];
const levels = new Map(
  ([1, 2, 3, 4] as const).map((level) => [level, new Map(names.map((name) => [name, String(level)]))]),
);

/** The rules of `crs-setup.conf` that set the level. */
const settingRules: ReadonlySet<number> = new Set([900_000, 900_001]);

export function judgeAtLevel(
  set: RuleSet,
  request: RuleRequest,
  level: ParanoiaLevel,
  response?: RuleResponse,
): Judgement {
  return judgeRequest(set, request, response, levels.get(level));
}

/** The rule set without the setup rules that would overwrite the level given to `judgeAtLevel`. */
export function leaveLevelToCaller(set: RuleSet): RuleSet {
  const without = (rules: readonly Rule[]): Rule[] => rules.filter(({ id }) => !settingRules.has(id));
  const { phases } = set;
  const of = (phase: Phase): Rule[] => without(phases[phase]);
  return {
    ...set,
    rules: without(set.rules),
    phases: { 1: of(1), 2: of(2), 3: phases[3], 4: phases[4], 5: phases[5] },
  };
}
