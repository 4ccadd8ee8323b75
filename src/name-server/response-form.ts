import type { Answer } from "../core/dns/served/sources.ts";
import { flagBits } from "../core/dns/wire/codes.ts";
import type { Edns } from "../core/dns/wire/edns.ts";

export type ResponseEdns = Omit<Edns, "extendedRcode">;

/** The largest message over UDP that passes every network unfragmented (DNS flag day 2020). */
const udpPayloadMax = 1232;
export const udpPayloadMin = 512;
export const tcpPayloadMax = 65_535;

/** The flags of a response: its own, and those that it copies from the query. */
export function responseFlags(flags: number): number {
  return (
    flagBits.response | (flags & (flagBits.opcode | flagBits.recursionDesired | flagBits.checkingDisabled))
  );
}

/** The EDNS part of a response, without options. */
export function plainEdns({ dnssecOk }: Edns): ResponseEdns {
  return { payloadSize: udpPayloadMax, version: 0, dnssecOk, options: [] };
}

/** The largest response that the client accepts, in octets. */
export function payloadMax(transport: "udp" | "tcp", edns: Edns | undefined): number {
  if (transport === "tcp") return tcpPayloadMax;
  return edns === undefined
    ? udpPayloadMin
    : Math.min(Math.max(edns.payloadSize, udpPayloadMin), udpPayloadMax);
}

/** An answer without records. */
export function codeAlone(rcode: number): Answer {
  return {
    rcode,
    isAuthoritative: false,
    answers: [],
    authorities: [],
    additionals: [],
    additionalsNeeded: 0,
    zone: undefined,
    source: "",
    isLasting: false,
  };
}
