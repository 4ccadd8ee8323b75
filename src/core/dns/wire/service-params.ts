import { ipv4Address, ipv6Groups, parseIpv4, parseIpv6, printIpAddress } from "../../net/ip-address.ts";
import { encodeCharacterString } from "../content/character-string.ts";
import {
  joinValueList,
  keyOfNumber,
  numberedParams,
  numberOfKey,
  splitValueList,
} from "../content/service-binding.ts";
import {
  base64ToOctets,
  fourOctets,
  fourOctetsAt,
  octet,
  octetsToBase64,
  twoOctets,
  twoOctetsAt,
  WireError,
} from "./octets.ts";

/**
 * Write the value of a parameter, by its number (RFC 9460 section 7, RFC 9461); values of others stay as they are.
 */
const writers: Readonly<Record<number, (value: string) => string>> = {
  0: list((key) => twoOctets(numberOfKey(key))),
  1: (value) =>
    splitValueList(value)
      .map((id) => octet(id.length) + id)
      .join(""),
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

/** Read the octets of a value, by the number of its parameter; values of others stay as they are. */
const readers: Readonly<Record<number, (octets: string) => string>> = {
  0: items(2, (octets) => keyOfNumber(twoOctetsAt(octets, 0))),
  1: (octets) => {
    const ids: string[] = [];
    for (let at = 0; at < octets.length; at += 1 + octets.charCodeAt(at)) {
      ids.push(octets.slice(at + 1, at + 1 + octets.charCodeAt(at)));
    }
    return joinValueList(ids);
  },
  3: (octets) => String(twoOctetsAt(octets, 0)),
  4: items(4, (octets) => printIpAddress(ipv4Address(fourOctetsAt(octets, 0)))),
  5: octetsToBase64,
  6: items(16, (octets) =>
    printIpAddress({
      version: 6,
      words: [
        fourOctetsAt(octets, 0),
        fourOctetsAt(octets, 4),
        fourOctetsAt(octets, 8),
        fourOctetsAt(octets, 12),
      ],
    }),
  ),
};

/** The parameters on the wire as text for `parseSvcParams`. Throws a WireError where they end early. */
export function svcParamsFromOctets(octets: string): string {
  const params: string[] = [];
  for (let at = 0; at < octets.length;) {
    const number = twoOctetsAt(octets, at);
    const end = at + 4 + twoOctetsAt(octets, at + 2);
    // Also false for a header that is cut off, where the length is NaN.
    if (!(end <= octets.length)) throw new WireError("a service parameter ends early");
    const value = (readers[number] ?? String)(octets.slice(at + 4, end));
    params.push(keyOfNumber(number) + (value === "" ? "" : `=${encodeCharacterString(value)}`));
    at = end;
  }
  return params.join(" ");
}

function items(octetsOfItem: number, read: (octets: string) => string): (octets: string) => string {
  return (octets) => {
    const parts: string[] = [];
    for (let at = 0; at < octets.length; at += octetsOfItem) {
      parts.push(read(octets.slice(at, at + octetsOfItem)));
    }
    return parts.join(",");
  };
}
