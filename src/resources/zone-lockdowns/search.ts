import { invalidParameter } from "../../core/error.ts";
import { parseIpAddress, printIpAddress } from "../../core/net/ip-address.ts";
import { parseCidr, type IpRange } from "../../core/net/ip-range.ts";
import { parseTimestamp } from "../../storage/columns.ts";
import type { ListZoneLockdownsQuery, LockdownConfiguration, ZoneLockdown } from "./schema.ts";

/** Whether a lockdown meets every filter of a query. Errors: 400 code 1003 for a time that is none. */
export function searchOf(query: ListZoneLockdownsQuery): (lockdown: ZoneLockdown) => boolean {
  const tests: ((lockdown: ZoneLockdown) => boolean)[] = [];
  for (const name of ["created_on", "modified_on"] as const) {
    const text = query[name];
    if (text === undefined) continue;
    const time = parseTimestamp(text);
    if (time === undefined) throw invalidParameter(name, "must be a time as in RFC 3339");
    tests.push((lockdown) => lockdown[name] === time);
  }
  for (const part of [query.description, query.description_search]) {
    if (part !== undefined) tests.push(({ description = "" }) => contains(description, part));
  }
  for (const address of [query.ip, query.ip_search]) {
    if (address !== undefined) tests.push(names("ip", address));
  }
  const { ip_range_search: range, uri_search: part, priority } = query;
  if (range !== undefined) tests.push(names("ip_range", range));
  if (part !== undefined) tests.push(({ urls }) => urls.some((url) => contains(url, part)));
  if (priority !== undefined) tests.push((lockdown) => lockdown.priority === priority);
  return (lockdown) => tests.every((meets) => meets(lockdown));
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function names(target: LockdownConfiguration["target"], value: string): (lockdown: ZoneLockdown) => boolean {
  const asked = normalized(value);
  return ({ configurations }) =>
    configurations.some((one) => one.target === target && normalized(one.value) === asked);
}

/** Text that is neither an address nor a range stays as it is. */
function normalized(value: string): string {
  const address = parseIpAddress(value);
  if (address !== undefined) return printIpAddress(address);
  const range = parseCidr(value);
  return range === undefined ? value : printRange(range);
}

function printRange({ first, last }: IpRange): string {
  return `${printIpAddress(first)}-${printIpAddress(last)}`;
}
