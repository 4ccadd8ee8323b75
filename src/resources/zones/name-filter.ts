import { toAsciiName } from "../../core/dns/name.ts";
import type { TextMatch } from "../../storage/columns.ts";

export interface NameFilter {
  readonly match: TextMatch;
  readonly negated: boolean;
  readonly caseSensitive: boolean;
  readonly value: string;
}

const operators: ReadonlyMap<string, Omit<NameFilter, "value">> = new Map([
  ["equal", { match: "exact", negated: false, caseSensitive: false }],
  ["not_equal", { match: "exact", negated: true, caseSensitive: false }],
  ["starts_with", { match: "startswith", negated: false, caseSensitive: false }],
  ["ends_with", { match: "endswith", negated: false, caseSensitive: false }],
  ["contains", { match: "contains", negated: false, caseSensitive: false }],
  ["starts_with_case_sensitive", { match: "startswith", negated: false, caseSensitive: true }],
  ["ends_with_case_sensitive", { match: "endswith", negated: false, caseSensitive: true }],
  ["contains_case_sensitive", { match: "contains", negated: false, caseSensitive: true }],
]);

/** Parses `operator:value`. Without a known operator it is all value, as names of accounts may contain colons. */
export function parseNameFilter(text: string): NameFilter {
  const colon = text.indexOf(":");
  const operator = colon === -1 ? undefined : operators.get(text.slice(0, colon));
  const value = operator === undefined ? text : text.slice(colon + 1);
  const { match, negated, caseSensitive } = operator ?? {
    match: "exact",
    negated: false,
    caseSensitive: false,
  };
  return { match, negated, caseSensitive, value: caseSensitive ? value : value.toLowerCase() };
}

/** The same for zone names, which may be in Unicode or end with a dot. */
export function parseZoneNameFilter(text: string): NameFilter {
  const filter = parseNameFilter(text);
  const value = filter.match === "exact" ? toAsciiName(filter.value) : undefined;
  return value === undefined ? filter : { ...filter, value };
}
