import { isIpAddress, valueOf, type RequestContext, type Value } from "../expression/context.ts";
import { printIpAddress } from "../net/ip-address.ts";

/** A header: its name in lower case, and its value, as byte strings. */
export type Header = readonly [name: string, value: string];

export interface HeaderChange {
  readonly operation: "set" | "add" | "remove";
  readonly name: string;
  /** The new value; undefined removes the header. A missing value of an expression removes it too. */
  readonly value: string | undefined;
}

export function valuesOf(headers: readonly Header[], name: string): string[] {
  const values: string[] = [];
  for (const header of headers) if (header[0] === name) values.push(header[1]);
  return values;
}

/** The values of a header joined to one (RFC 9110 section 5.3); empty where it is absent. */
export function valueIn(headers: readonly Header[], name: string): string {
  let found: string | undefined;
  for (const header of headers) {
    if (header[0] === name) found = found === undefined ? header[1] : `${found}, ${header[1]}`;
  }
  return found ?? "";
}

/** The headers of a request, or of the answer to it, in order; repeated ones each time. */
export function headersOf(
  request: RequestContext,
  field: "http.request.headers" | "http.response.headers" = "http.request.headers",
): Header[] {
  const names = textsOf(valueOf(request, `${field}.names`));
  const values = textsOf(valueOf(request, `${field}.values`));
  return names.map((name, index) => [name, values[index] ?? ""]);
}

/** The headers after the changes, one after another. A change that sets a header replaces all of its name. */
export function changeHeaders(headers: readonly Header[], changes: readonly HeaderChange[]): Header[] {
  let changed = [...headers];
  for (const change of changes) {
    const name = change.name.toLowerCase();
    if (change.operation !== "add") changed = changed.filter(([other]) => other !== name);
    if (setsValue(change)) changed.push([name, change.value ?? ""]);
  }
  return changed;
}

/** The names of headers that changes remove, in lower case, whether a request has them or not. */
export function removedNames(changes: readonly HeaderChange[]): Set<string> {
  const removed = new Set<string>();
  for (const change of changes) {
    const name = change.name.toLowerCase();
    if (setsValue(change)) removed.delete(name);
    else if (change.operation !== "add") removed.add(name);
  }
  return removed;
}

function setsValue({ operation, value }: HeaderChange): boolean {
  return operation !== "remove" && value !== undefined && value !== "";
}

const notInHeaders = /[^\t\u0020-\u007e]/g;

/**
 * The text of an expression's value in a header: addresses and numbers as usual, Booleans as `true` and
 * `false`, octets beyond ASCII and control characters, which no header may hold, as `\u00c3` and `\u000d`.
 * Undefined for a missing value, and for an array or a map.
 */
export function headerValue(value: Value | undefined): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") {
    return value.replaceAll(
      notInHeaders,
      (octet) => `\\u00${octet.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  }
  return value !== undefined && isIpAddress(value) ? printIpAddress(value) : undefined;
}

function textsOf(value: Value | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Value[]).map((item) => (typeof item === "string" ? item : ""));
}
