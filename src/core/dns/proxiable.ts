import { isDiscardAddress } from "../net/origin-address.ts";
import { isPublicAddress } from "../net/public-address.ts";
import type { RecordType } from "./record-types.ts";

const proxiableTypes: Partial<Record<RecordType, (content: string) => boolean>> = {
  A: isPublicAddress,
  AAAA: (content) => isPublicAddress(content) || isDiscardAddress(content),
  CNAME: () => true,
};

/**
 * Whether traffic for a record can be proxied: a CNAME, an A or AAAA record with a public address, or `100::`,
 * which stands for no origin. `content` is that of
 * a `parseRdata` result.
 */
export function isProxiable(type: RecordType, content: string): boolean {
  return proxiableTypes[type]?.(content) ?? false;
}
