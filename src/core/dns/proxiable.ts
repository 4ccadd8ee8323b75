import { isPublicAddress } from "../net/public-address.ts";
import type { RecordType } from "./record-types.ts";

const proxiableTypes: Partial<Record<RecordType, (content: string) => boolean>> = {
  A: isPublicAddress,
  AAAA: isPublicAddress,
  CNAME: () => true,
};

/**
 * Whether traffic for a record can be proxied: a CNAME, or an A or AAAA record with a public address. `content` is that of
 * a `parseRdata` result.
 */
export function isProxiable(type: RecordType, content: string): boolean {
  return proxiableTypes[type]?.(content) ?? false;
}
