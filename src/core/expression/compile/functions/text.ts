import { lowerAscii, upperAscii } from "../../byte-string.ts";
import { isIpAddress, type Value } from "../../context.ts";
import { printIpAddress } from "../../../net/ip-address.ts";
import type { Implementation } from "./call-site.ts";

export const textFunctions: Readonly<Record<string, Implementation>> = {
  concat:
    ({ rest }) =>
    (first, context) =>
      concatenated([first, ...rest.map((evaluate) => evaluate(context))]),
  ends_with: (site) => compareWith(site, (text, part) => text.endsWith(part)),
  join:
    ({ rest: [separator] }) =>
    (first, context) => {
      const between = separator?.(context) as string | undefined;
      if (first === undefined || between === undefined) return undefined;
      return (first as readonly string[]).join(between);
    },
  len: () => (first) => {
    if (typeof first === "string" || Array.isArray(first)) return first.length;
    return first instanceof Map ? first.size : undefined;
  },
  lower: () => (first) => (first === undefined ? undefined : lowerAscii(first as string)),
  remove_bytes: ({ literals }) => {
    const removed = new Set(literals[1] as string);
    return (first) =>
      first === undefined
        ? undefined
        : Array.from(first as string)
            .filter((octet) => !removed.has(octet))
            .join("");
  },
  split: ({ literals }) => {
    const [, separator, limit] = literals as readonly [unknown, string, number];
    return (first) => (first === undefined ? undefined : splitAtMost(first as string, separator, limit));
  },
  starts_with: (site) => compareWith(site, (text, part) => text.startsWith(part)),
  substring:
    ({ rest: [start, end] }) =>
    (first, context) => {
      const from = start?.(context) as number | undefined;
      const to = end?.(context) as number | undefined;
      if (first === undefined || from === undefined || (end !== undefined && to === undefined))
        return undefined;
      return (first as string).slice(from, to);
    },
  to_string: () => (first) => {
    if (typeof first === "boolean" || typeof first === "number") return String(first);
    return first !== undefined && isIpAddress(first) ? printIpAddress(first) : undefined;
  },
  upper: () => (first) => (first === undefined ? undefined : upperAscii(first as string)),
};

/** Joins the values that are not missing, all at once to avoid copies. */
function concatenated(values: readonly (Value | undefined)[]): Value | undefined {
  const present = values.filter((value) => value !== undefined);
  if (present.length === 0) return undefined;
  return typeof present[0] === "string"
    ? (present as readonly string[]).join("")
    : (present as readonly (readonly Value[])[]).flat();
}

function compareWith(
  { literals, rest: [part] }: Parameters<Implementation>[0],
  compare: (text: string, part: string) => boolean,
): ReturnType<Implementation> {
  const literal = literals[1] as string | undefined;
  if (literal !== undefined) {
    return (first) => (first === undefined ? undefined : compare(first as string, literal));
  }
  return (first, context) => {
    const value = part?.(context);
    return first === undefined || value === undefined ? undefined : compare(first as string, value as string);
  };
}

/** Splits a text; the last part keeps the rest. */
function splitAtMost(text: string, separator: string, limit: number): string[] {
  const parts = text.split(separator);
  return parts.length <= limit
    ? parts
    : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}
