import type { Timestamp } from "../../storage/schema/table.ts";
import { comparisonsOf, eventFields, type Comparison, type EventColumn } from "./event-fields.ts";

type Value = string | number;

export type EventCondition =
  | { readonly all: readonly EventCondition[] }
  | { readonly any: readonly EventCondition[] }
  | EventComparison;

interface EventComparison {
  readonly column: EventColumn;
  readonly comparison: Comparison;
  /** A non-empty list for `in` and `not in`. */
  readonly value: Value | readonly Value[];
}

const valuesMax = 500;

/** The filter exceeds the limit of one query. */
export class FilterTooLargeError extends Error {}

const comparisons = new Map(
  Object.entries(eventFields).flatMap(([name, { column, type }]) =>
    Object.entries(comparisonsOf[type]).map(
      ([ending, comparison]) => [name + ending, { column, comparison }] as const,
    ),
  ),
);

/**
 * The condition of a validated filter: all entries must match; `AND` and `OR` hold lists of filters; null
 * matches everything. Empty lists and filters count as values, as databases limit the conditions of a query.
 * Throws FilterTooLargeError.
 */
export function conditionOf(filter: Readonly<Record<string, unknown>>): EventCondition {
  let values = 0;
  const count = (more: number): void => {
    values += Math.max(1, more);
    if (values > valuesMax) throw new FilterTooLargeError(`a filter may hold at most ${valuesMax} values`);
  };
  const read = (entries: Readonly<Record<string, unknown>>): EventCondition => {
    const asked = Object.entries(entries).filter(([, value]) => value !== null && value !== undefined);
    if (asked.length === 0) count(0);
    return {
      all: asked.map(([name, value]): EventCondition => {
        if (name === "AND" || name === "OR") {
          const parts = value as readonly Readonly<Record<string, unknown>>[];
          if (parts.length === 0) count(0);
          return name === "AND" ? { all: parts.map(read) } : { any: parts.map(read) };
        }
        const found = comparisons.get(name);
        if (found === undefined) throw new Error(`no field ${name}`);
        count(Array.isArray(value) ? value.length : 1);
        const { column, comparison } = found;
        if (Array.isArray(value) && value.length === 0) {
          return comparison === "in" ? { any: [] } : { all: [] };
        }
        return { column, comparison, value: value as Value | readonly Value[] };
      }),
    };
  };
  return read(filter);
}

/** Times between which every event is that meets the condition; undefined where it has no bound. */
export function timesOf(condition: EventCondition): {
  readonly from: Timestamp | undefined;
  readonly until: Timestamp | undefined;
} {
  const bounds = comparisonsOfAll(condition).filter(({ column }) => column === "datetime");
  const timesBy = (...asked: readonly Comparison[]) =>
    bounds
      .filter(({ comparison }) => asked.includes(comparison))
      .map(({ value }) => value as Timestamp)
      .toSorted();
  return { from: timesBy(">", ">=", "=").at(-1), until: timesBy("<", "<=", "=").at(0) };
}

/** The comparisons that every event meets which meets the condition. */
function comparisonsOfAll(condition: EventCondition): readonly EventComparison[] {
  if ("all" in condition) return condition.all.flatMap(comparisonsOfAll);
  return "any" in condition ? [] : [condition];
}
