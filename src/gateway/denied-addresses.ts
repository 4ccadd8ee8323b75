import { lookup, type LookupAddress } from "node:dns";
import { BlockList, isIP } from "node:net";

/** Where clouds serve secrets to their machines, and what only a neighbour can be: no place for an upstream. */
const denied = new BlockList();
denied.addSubnet("169.254.0.0", 16, "ipv4");
denied.addSubnet("fe80::", 10, "ipv6");
denied.addAddress("fd00:ec2::254", "ipv6");
denied.addAddress("100.100.100.200", "ipv4");
denied.addAddress("192.0.0.192", "ipv4");
denied.addAddress("168.63.129.16", "ipv4");

const deniedNames = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data)\.?$/i;

/** Whether a host, by name or address, is one that only serves the machine itself. Names are judged again as they resolve. */
export function deniedAddress(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  if (family === 0) return deniedNames.test(host);
  return denied.check(address, family === 4 ? "ipv4" : "ipv6");
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** `dns.lookup` that does not find link-local and metadata addresses: a name may lead there, or do so later. */
export function lookupAllowed(hostname: string, options: object, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const allowed = addresses.filter(({ address }) => !deniedAddress(address));
    const [first] = allowed;
    if (first === undefined) callback(new Error("refused: a link-local or metadata address"), []);
    else if ("all" in options && options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
}
