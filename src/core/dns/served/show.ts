import { typeCodes, typeName } from "../wire/codes.ts";
import { nameAt } from "../wire/names.ts";
import { encodeCharacterString } from "../content/character-string.ts";
import { fourOctetsAt, octetsToHex, twoOctetsAt } from "../wire/octets.ts";
import { ipv4Address, printIpAddress } from "../../net/ip-address.ts";
import type { OwnedSet } from "../wire/record-data.ts";

/**
 * The records of a set as lines of a zone file. Types without a presentation format here are written as in RFC
 * 3597.
 */
export function showRecordSet({ name, set: { type, ttl, rdatas } }: OwnedSet): string[] {
  const show = printers[type] ?? generic;
  return rdatas.map((rdata) => `${withFinalDot(name)}\t${ttl}\tIN\t${typeName(type)}\t${show(rdata)}`);
}

const printers: Readonly<Record<number, (rdata: string) => string>> = {
  [typeCodes.A]: (rdata) => printIpAddress(ipv4Address(fourOctetsAt(rdata, 0))),
  [typeCodes.AAAA]: (rdata) =>
    printIpAddress({
      version: 6,
      words: [
        fourOctetsAt(rdata, 0),
        fourOctetsAt(rdata, 4),
        fourOctetsAt(rdata, 8),
        fourOctetsAt(rdata, 12),
      ],
    }),
  [typeCodes.CNAME]: targetAt(0),
  [typeCodes.MX]: (rdata) => `${twoOctetsAt(rdata, 0)} ${targetAt(2)(rdata)}`,
  [typeCodes.NS]: targetAt(0),
  [typeCodes.PTR]: targetAt(0),
  [typeCodes.SOA]: startOfAuthority,
  [typeCodes.SRV]: (rdata) =>
    `${[0, 2, 4].map((at) => twoOctetsAt(rdata, at)).join(" ")} ${targetAt(6)(rdata)}`,
  [typeCodes.TXT]: texts,
};

function targetAt(at: number): (rdata: string) => string {
  return (rdata) => withFinalDot(nameAt(rdata, at).name);
}

function startOfAuthority(rdata: string): string {
  const primary = nameAt(rdata, 0);
  const mailbox = nameAt(rdata, primary.end);
  const numbers = [0, 4, 8, 12, 16].map((at) => fourOctetsAt(rdata, mailbox.end + at));
  return [withFinalDot(primary.name), withFinalDot(mailbox.name), ...numbers].join(" ");
}

function texts(rdata: string): string {
  const strings: string[] = [];
  for (let at = 0; at < rdata.length; at += 1 + rdata.charCodeAt(at)) {
    strings.push(encodeCharacterString(rdata.slice(at + 1, at + 1 + rdata.charCodeAt(at))));
  }
  return strings.join(" ");
}

function generic(rdata: string): string {
  return `\\# ${rdata.length} ${octetsToHex(rdata)}`;
}

function withFinalDot(name: string): string {
  return name === "." ? name : `${name}.`;
}
