import { comparisonsOf, eventFields, type Comparison, type EventColumn } from "./event-fields.ts";

type Value = string | number;

/** What an event has to meet. */
export type EventCondition =
  | { readonly all: readonly EventCondition[] }
  | { readonly any: readonly EventCondition[] }
  | {
      readonly column: EventColumn;
      readonly comparison: Comparison;
      /** A list for `in` and `not in`, which is not empty. */
      readonly value: Value | readonly Value[];
    };

const valuesMax = 500;

/** A filter that asks for more than one query may. */
export class FilterTooLargeError extends Error {}

const comparisons = new Map(
  Object.entries(eventFields).flatMap(([name, { column, form }]) =>
    Object.entries(comparisonsOf[form]).map(
      ([ending, comparison]) => [name + ending, { column, comparison }] as const,
    ),
  ),
);

/**
 * The condition of a filter whose values have been checked. All entries must match; `AND` and `OR` hold lists of
 * further filters; null matches everything. Throws a FilterTooLargeError.
 */
export function conditionOf(filter: Readonly<Record<string, unknown>>): EventCondition {
  let values = 0;
  const read = (entries: Readonly<Record<string, unknown>>): EventCondition => ({
    all: Object.entries(entries).flatMap(([name, value]): EventCondition[] => {
      if (value === null || value === undefined) return [];
      if (name === "AND" || name === "OR") {
        const parts = (value as readonly Readonly<Record<string, unknown>>[]).map(read);
        return [name === "AND" ? { all: parts } : { any: parts }];
      }
      const found = comparisons.get(name);
      if (found === undefined) throw new Error(`no field ${name}`);
      values += Array.isArray(value) ? value.length : 1;
      if (values > valuesMax) throw new FilterTooLargeError(`a filter may hold at most ${valuesMax} values`);
      if (Array.isArray(value) && value.length === 0) {
        return [found.comparison === "in" ? { any: [] } : { all: [] }];
      }
      return [{ ...found, value: value as Value | readonly Value[] }];
    }),
  });
  return read(filter);
}
