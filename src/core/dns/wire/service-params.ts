import { ipv6Groups, parseIpv4, parseIpv6 } from "../../net/ip-address.ts";
import { numberedParams, numberOfKey } from "../service-binding.ts";
import { base64ToOctets, fourOctets, octet, twoOctets } from "./octets.ts";

/** How the value of a parameter is written, by its number (RFC 9460 section 7, RFC 9461); others are what they are. */
const writers: Readonly<Record<number, (value: string) => string>> = {
  0: list((key) => twoOctets(numberOfKey(key))),
  1: list((id) => octet(id.length) + id),
  3: (port) => twoOctets(Number(port)),
  4: list((address) => fourOctets(parseIpv4(address)?.words[3] ?? 0)),
  5: base64ToOctets,
  6: list((text) => {
    const address = parseIpv6(text);
    return address === undefined ? "" : ipv6Groups(address).map(twoOctets).join("");
  }),
};

/** The parameters of an HTTPS or SVCB record on the wire, from a result of `parseSvcParams`. */
export function svcParamsToOctets(text: string): string {
  return numberedParams(text)
    .map(({ number, value }) => {
      const octets = (writers[number] ?? String)(value);
      return twoOctets(number) + twoOctets(octets.length) + octets;
    })
    .join("");
}

function list(write: (item: string) => string): (value: string) => string {
  return (value) => value.split(",").map(write).join("");
}
