import { follows, listOf, objectOf, type Check, integerBetween, trueOrFalse } from "../validate/rules.ts";
import type { Exchange } from "./exchange.ts";
import {
  answeredMatchCheck,
  compileMatch,
  type AnsweredMatch,
  type Miss,
  type OperationNames,
} from "./match.ts";

/** The number of requests that have to be in the journal; by default at least one. */
export interface Expectation {
  readonly match: AnsweredMatch;
  readonly at_least?: number;
  readonly at_most?: number;
}

export interface Verification {
  readonly expect: readonly Expectation[];
  /** Whether requests that fulfil the expectations have to come in the order of the expectations. */
  readonly in_order?: boolean;
}

/** A request that did not match, and the reasons. */
export interface NearMiss<Entry> {
  readonly entry: Entry;
  readonly misses: readonly Miss[];
}

export interface ExpectationResult<Entry> {
  readonly isFulfilled: boolean;
  readonly count: number;
  /** The closest requests first; empty where requests matched. */
  readonly nearMisses: readonly NearMiss<Entry>[];
}

export interface VerificationResult<Entry> {
  readonly isVerified: boolean;
  readonly expectations: readonly ExpectationResult<Entry>[];
  /** Position of the first expectation that does not follow those before it; undefined if all do. */
  readonly outOfOrder: number | undefined;
}

const expectationsMax = 100;
const nearMissesMax = 3;

const count = follows(integerBetween(0, 1_000_000));

/** Checks `Verification`, of untrusted JSON. */
export function verificationCheck(operations: OperationNames): Check {
  const match = answeredMatchCheck(operations);
  const members = objectOf({ match, at_least: count, at_most: count }, { required: ["match"] });
  const expectation: Check = (value, pointer, issues) => {
    const before = issues.length;
    members(value, pointer, issues);
    if (issues.length > before) return;
    const { at_least = 0, at_most = Number.POSITIVE_INFINITY } = value as Expectation;
    if (at_least > at_most)
      issues.push({ pointer: `${pointer}/at_most`, rule: "must not be less than `at_least`" });
  };
  return objectOf(
    { expect: listOf(expectation, expectationsMax), in_order: follows(trueOrFalse) },
    { required: ["expect"] },
  );
}

/** The number of entries after which other work may go on. */
const entriesAtOnce = 250;

/** Compares entries, the oldest first, with the expectations. It yields often, for other work. */
export function* verify<Entry extends Exchange>(
  { expect, in_order: isOrdered = false }: Verification,
  entries: readonly Entry[],
): Generator<void, VerificationResult<Entry>> {
  const expectations: ExpectationResult<Entry>[] = [];
  for (const each of expect) {
    expectations.push(yield* judge(each, entries));
    yield;
  }
  const outOfOrder = isOrdered ? yield* firstOutOfOrder(expect, entries) : undefined;
  const isVerified = outOfOrder === undefined && expectations.every(({ isFulfilled }) => isFulfilled);
  return { isVerified, expectations, outOfOrder };
}

function* judge<Entry extends Exchange>(
  { match, at_most: most, at_least: least = most === undefined ? 1 : 0 }: Expectation,
  entries: readonly Entry[],
): Generator<void, ExpectationResult<Entry>> {
  const { matches } = compileMatch(match);
  let found = 0;
  for (const [index, entry] of entries.entries()) {
    if (matches(entry)) found += 1;
    if (index % entriesAtOnce === entriesAtOnce - 1) yield;
  }
  return {
    isFulfilled: found >= least && found <= (most ?? Number.POSITIVE_INFINITY),
    count: found,
    nearMisses: found >= least ? [] : yield* nearMisses(match, entries),
  };
}

/** The entries that come closest to a match without fulfilling it; of equally close ones the newest first. */
function* nearMisses<Entry extends Exchange>(
  match: AnsweredMatch,
  entries: readonly Entry[],
): Generator<void, readonly NearMiss<Entry>[]> {
  const compiled = compileMatch(match);
  let closest: readonly NearMiss<Entry>[] = [];
  for (const [index, entry] of entries.toReversed().entries()) {
    const misses = compiled.misses(entry);
    if (misses.length > 0) {
      closest = [...closest, { entry, misses }]
        .toSorted((a, b) => distanceOf(a) - distanceOf(b))
        .slice(0, nearMissesMax);
    }
    if (index % entriesAtOnce === entriesAtOnce - 1) yield;
  }
  return closest;
}

function distanceOf({ misses }: NearMiss<unknown>): number {
  return misses.reduce((sum, { distance }) => sum + distance, 0);
}

/** Finds the first expectation without entries after those of the expectation before it. */
function* firstOutOfOrder(
  expect: readonly Expectation[],
  entries: readonly Exchange[],
): Generator<void, number | undefined> {
  let from = 0;
  for (const [index, { match, at_least: least = 1 }] of expect.entries()) {
    const { matches } = compileMatch(match);
    for (let missing = least; missing > 0; from += 1) {
      const entry = entries[from];
      if (entry === undefined) return index;
      if (matches(entry)) missing -= 1;
      if (from % entriesAtOnce === entriesAtOnce - 1) yield;
    }
  }
  return undefined;
}
