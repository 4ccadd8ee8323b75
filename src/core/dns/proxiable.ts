import { isDiscardAddress, type OriginRule } from "../net/origin-address.ts";
import type { RecordType } from "./record-types.ts";

/**
 * Whether traffic for a record can be proxied: a CNAME, an A or AAAA record with the address of an origin, or `100::`,
 * which stands for no origin. `content` is that of a `parseRdata` result.
 */
export function isProxiable(type: RecordType, content: string, mayBeOrigin: OriginRule): boolean {
  if (type === "A" || type === "AAAA") return mayBeOrigin(content) || isDiscardAddress(content);
  return type === "CNAME";
}
