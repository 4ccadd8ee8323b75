import { lookup, type LookupAddress } from "node:dns";

import { isDeniedHost } from "../core/net/denied-hosts.ts";

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** `dns.lookup` without link-local and metadata addresses, to which a name may lead, now or later. */
export function lookupAllowed(hostname: string, options: object, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const allowed = addresses.filter(({ address }) => !isDeniedHost(address));
    const [first] = allowed;
    if (first === undefined) callback(new Error("refused: a link-local or metadata address"), []);
    else if ("all" in options && options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
}
