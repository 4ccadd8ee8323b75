import { ipv6Groups, parseIpv6 } from "./ip-address.ts";

/**
 * An IPv6 address, or a range of them, with the address in full and in lower case; null for anything else.
 */
export function fullValue(text: string): string | null {
  const [base = "", ...length] = text.split("/");
  const address = parseIpv6(base);
  if (address === undefined) return null;
  const groups = ipv6Groups(address).map((group) => group.toString(16).padStart(4, "0"));
  return [groups.join(":"), ...length].join("/");
}
