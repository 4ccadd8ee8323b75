import { domainToUnicode } from "node:url";

import { toAsciiName } from "../../core/dns/name.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** The Unicode form of a name from `parseZoneName`; null if it is equal or ambiguous (RFC 5891 section 5.4). */
export function toUnicodeName(ascii: string): string | null {
  const unicode = domainToUnicode(ascii);
  return unicode !== ascii && toAsciiName(unicode) === ascii ? unicode : null;
}

/** The name of a zone in answers about zones. Answers about DNS have the ASCII name. */
export function shownName({ name, unicode_name }: Pick<ZoneRow, "name" | "unicode_name">): string {
  return unicode_name ?? name;
}
