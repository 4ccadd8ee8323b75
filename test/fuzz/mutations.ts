import * as fc from "fast-check";

import { anyString, anyValue } from "./values.ts";

/** One change of a JSON value, made somewhere in it. */
export interface Mutation {
  readonly kind: "replace" | "remove" | "add" | "repeat" | "wrap" | "nest";
  /** Chooses the place, whatever the number of places. */
  readonly place: number;
  readonly key: string;
  readonly value: unknown;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Mutation["kind"]>(
      "replace",
      "replace",
      "replace",
      "remove",
      "add",
      "repeat",
      "wrap",
      "nest",
    ),
    place: fc.nat(),
    key: anyString,
    value: anyValue,
  }),
  { minLength: 1, maxLength: 3 },
);

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

export function mutate(original: unknown, changes: readonly Mutation[]): unknown {
  const root = { value: structuredClone(original) };
  for (const change of changes) {
    const places = placesIn(root);
    const place = places[change.place % places.length];
    // A copy: the same value in two places could come to hold itself.
    if (place !== undefined) apply(place, { ...change, value: structuredClone(change.value) });
  }
  return root.value;
}

function placesIn(holder: Place["holder"]): Place[] {
  const places: Place[] = [];
  for (const [key, value] of Object.entries(holder)) {
    places.push({ holder, key });
    if (typeof value === "object" && value !== null) places.push(...placesIn(value as Place["holder"]));
  }
  return places;
}

function apply({ holder, key }: Place, { kind, key: newKey, value }: Mutation): void {
  const at = holder as Record<string, unknown>;
  const current = at[key];
  switch (kind) {
    case "replace":
      at[key] = value;
      return;
    case "remove":
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete at[key];
      return;
    case "add":
      if (typeof current === "object" && current !== null && !Array.isArray(current)) {
        // Assigned, `__proto__` would be no key of it.
        Object.defineProperty(current, newKey, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else at[key] = [current, value];
      return;
    case "repeat":
      at[key] = Array.isArray(current) ? [...current, ...current] : [current, current];
      return;
    case "wrap":
      at[key] = { [newKey]: current };
      return;
    case "nest":
      at[key] = Array.from({ length: 40 }).reduce((inner) => [inner], current);
      return;
  }
}
