import { readListSearch, textsOf, type ListSearch } from "../../components/list-search.ts";
import { spans, type Span } from "../security-events/spans.ts";

const views = ["new", "previous", "comparison"] as const;

export type View = (typeof views)[number];

export interface ManagedRulesSearch extends ListSearch {
  /** Chosen while the zone has both versions. */
  readonly view?: View | undefined;
  /** The time before now in which visitors' requests are compared. */
  readonly span?: Span | undefined;
  /** A package of the previous version, and a group of it. */
  readonly package?: string | undefined;
  readonly group?: string | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readManagedRulesSearch(search: Readonly<Record<string, unknown>>): ManagedRulesSearch {
  const view = views.find((one) => one === search["view"]);
  const span = spans.find(({ value }) => value === search["span"])?.value;
  return {
    ...readListSearch(search),
    ...(view !== undefined && { view }),
    ...(span !== undefined && { span }),
    ...textsOf(search, ["package", "group"]),
  };
}

export interface NewRuleSearch {
  /** Executes a managed ruleset by default. */
  readonly action?: "execute" | "skip" | undefined;
  readonly ruleset?: string | undefined;
  /** Proposed by events for an exception: the expression, its name, and ids of rules by that of their ruleset. */
  readonly expression?: string | undefined;
  readonly description?: string | undefined;
  readonly rules?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readNewRuleSearch(search: Readonly<Record<string, unknown>>): NewRuleSearch {
  const { action } = search;
  const rules = ruleIdsOf(search["rules"]);
  return {
    ...((action === "execute" || action === "skip") && { action }),
    ...textsOf(search, ["ruleset", "expression", "description"]),
    ...(rules !== undefined && { rules }),
  };
}

function ruleIdsOf(value: unknown): NewRuleSearch["rules"] {
  if (typeof value !== "object" || value === null) return undefined;
  const isIds = (ids: unknown): ids is string[] =>
    Array.isArray(ids) && ids.every((id) => typeof id === "string");
  const read = Object.entries(value).filter((entry): entry is [string, string[]] => isIds(entry[1]));
  return read.length === 0 ? undefined : Object.fromEntries(read);
}
