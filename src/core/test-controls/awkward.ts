import { isJsonObject } from "../json.ts";
import type { FaultRule } from "./fault.ts";
import { seededFraction } from "./seeded.ts";

/**
 * Faults that a client has to bear from a server that keeps to the contract: rare refusals and failures, and
 * delays.
 */
export function awkwardRules(seed: number): readonly FaultRule[] {
  return [
    { match: { share: 0.2, seed }, effect: { type: "latency", ms: { min: 1, max: 100 } } },
    { match: { listener: "api", share: 0.02, seed: seed + 1 }, effect: { type: "rate_limit" } },
    { match: { listener: "api", share: 0.01, seed: seed + 2 }, effect: { type: "error", status: 500 } },
    { match: { listener: "api", share: 0.01, seed: seed + 3 }, effect: { type: "html", status: 502 } },
  ];
}

/** Returns a new number at each call, from 0 to just below 1. */
type Chance = () => number;

export function seededChance(seed: number, position: number): Chance {
  let drawn = 0;
  return () => seededFraction(seed + position, (drawn += 1));
}

/** Shuffles neighbours with the same key, and keeps the order of all others. */
export function shuffleEquals(
  items: readonly unknown[],
  keyOf: (item: unknown) => unknown,
  chance: Chance,
): readonly unknown[] {
  const shuffled: unknown[] = [];
  for (let from = 0; from < items.length;) {
    const key = JSON.stringify(keyOf(items[from]));
    let to = from + 1;
    while (to < items.length && JSON.stringify(keyOf(items[to])) === key) to += 1;
    shuffled.push(...shuffle(items.slice(from, to), chance));
    from = to;
  }
  return shuffled;
}

function shuffle(items: readonly unknown[], chance: Chance): readonly unknown[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Leaves half of the members out of a value that its JSON schema calls optional. */
export function omitOptional(value: unknown, schema: unknown, chance: Chance): unknown {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) {
    const items = schema["items"] ?? schema;
    return value.map((item) => omitOptional(item, items, chance));
  }
  const { properties, required } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const needed = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const its = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (its !== undefined && !needed.includes(name) && chance() < 0.5) return [];
      return [[name, omitOptional(member, its, chance)]];
    }),
  );
}
