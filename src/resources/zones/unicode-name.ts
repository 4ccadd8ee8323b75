import { domainToUnicode } from "node:url";

import { toAsciiName } from "../../core/dns/name.ts";
import type { ZoneRow } from "../../storage/tables.ts";

/**
 * The Unicode form of a result of `parseZoneName`; null if it is the same, or if it does not stand for that name alone
 * (RFC 5891 section 5.4).
 */
export function toUnicodeName(ascii: string): string | null {
  const unicode = domainToUnicode(ascii);
  return unicode !== ascii && toAsciiName(unicode) === ascii ? unicode : null;
}

/** The name by which answers about zones call a zone. Everything that DNS is about has its ASCII name. */
export function shownName({ name, unicode_name }: Pick<ZoneRow, "name" | "unicode_name">): string {
  return unicode_name ?? name;
}
