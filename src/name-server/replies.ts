import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { writeResponse, type Response } from "../core/dns/served/response.ts";
import { flagBits } from "../core/dns/wire/codes.ts";
import { readHeader, type Question } from "../core/dns/wire/message.ts";
import type { TsigKey } from "../core/dns/wire/tsig.ts";
import { WireWriter } from "../core/dns/wire/writer.ts";
import {
  AnswerCache,
  type AnsweringZone,
  type FoundZone,
  type PreparedAnswer,
  type PreparedResponse,
} from "./answer-cache.ts";
import type { Query, Transport } from "./listeners.ts";
import type { Answer } from "../core/dns/served/sources.ts";
import type { Edns } from "../core/dns/wire/edns.ts";
import { FixedWindowLimiter } from "../core/fixed-window-limiter.ts";
import { parseClientAddress } from "../core/net/client-network.ts";
import { fourOctets } from "../core/dns/wire/octets.ts";

/** A query whose signature has been verified, or that has none. */
export interface Asked extends Query {
  readonly key?: TsigKey;
}

/** A query that has been answered. */
export interface Outcome {
  readonly address: string;
  readonly transport: Transport;
  readonly question: Question | undefined;
  /** Undefined where none answered. */
  readonly zone: AnsweringZone | undefined;
  readonly rcode: number;
}

export interface RepliesOptions {
  /** Undefined for no limit. */
  readonly rateLimit: ResponseRateLimit | undefined;
  readonly nowMs: () => number;
  readonly observe: (outcome: Outcome) => void;
}

/** Writes responses of one message, within the limit of equal responses. */
export class Replies {
  readonly #options: RepliesOptions;
  readonly #writer = new WireWriter();
  readonly #prepared = new AnswerCache();

  constructor(options: RepliesOptions) {
    this.#options = options;
  }

  /** The cached answer to a query over UDP. */
  find(
    { bytes, transport }: Query,
    zones: Pick<ZoneIndex, "revision" | "inChargeOf">,
  ): PreparedAnswer | undefined {
    return transport === "udp" ? this.#prepared.find(bytes, zones) : undefined;
  }

  /** The response with a cached answer; undefined if the limit drops it. */
  repeat(query: Query, { response, bytes }: PreparedAnswer): Uint8Array | undefined {
    const verdict = this.#judge(query, response, false);
    if (verdict === "drop") return undefined;
    if (verdict === "truncate") {
      return this.#writeTruncated({ ...response, id: readHeader(query.bytes).id });
    }
    const copy = Buffer.from(bytes);
    copy[0] = query.bytes[0] as number;
    copy[1] = query.bytes[1] as number;
    return copy;
  }

  /** The response to a query; undefined if the limit drops it. With `from`, the answer is cached for equal queries. */
  send(
    query: Asked,
    response: Response,
    hasValidCookie: boolean,
    from?: readonly FoundZone[],
  ): Uint8Array | undefined {
    const verdict = this.#judge(query, response, hasValidCookie);
    if (verdict === "drop") return undefined;
    if (verdict === "truncate") return this.#writeTruncated(response);
    const bytes = writeResponse(this.#writer, response);
    if (from !== undefined && query.transport === "udp")
      this.#prepared.keep(query.bytes, response, bytes, from);
    return bytes;
  }

  /** Writes a response without regard to the limit. */
  write(response: Response): Uint8Array {
    return writeResponse(this.#writer, response);
  }

  #writeTruncated(response: PreparedResponse): Uint8Array {
    const { flags, answer } = response;
    return this.write({ ...response, flags: flags | flagBits.truncated, answer: codeAlone(answer.rcode) });
  }

  #judge(
    { address, transport, key }: Asked,
    { question, answer }: PreparedResponse,
    hasValidCookie: boolean,
  ): "send" | "truncate" | "drop" {
    const { rcode, source, zone } = answer;
    const { rateLimit, nowMs, observe } = this.#options;
    observe({ address, transport, question, zone, rcode });
    if (rateLimit === undefined || transport === "tcp" || hasValidCookie || key !== undefined) return "send";
    return rateLimit.judge(address, `${rcode} ${source}`, nowMs());
  }
}

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

const windowMs = 1_000;
/**
 * One in this many responses above the limit is sent truncated, so that a client that really asked retries over
 * TCP.
 */
const slip = 2;

/**
 * Limits equal responses over UDP to one network (/24 of IPv4, /56 of IPv6), so that nobody can flood that
 * network through this server with forged source addresses. Responses are equal if they have the same code and
 * come from the same name in a zone. Memory is bounded.
 */
export class ResponseRateLimit {
  readonly #limiter: FixedWindowLimiter;
  #limited = 0;

  /** `perSecond`: how many equal responses one network gets in a second. */
  constructor(perSecond: number) {
    this.#limiter = new FixedWindowLimiter({ quota: perSecond, windowMs });
  }

  /** Counts a response to `address`, and decides how to send it. `response` is equal for equal responses. */
  judge(address: string, response: string, nowMs: number): "send" | "truncate" | "drop" {
    if (!this.#limiter.count(`${addressNetwork(address)} ${response}`, nowMs).isExceeded) return "send";
    this.#limited += 1;
    return this.#limited % slip === 0 ? "truncate" : "drop";
  }
}

/** The 4 or 16 octets of an address that Node wrote as text. */
export function addressOctets(address: string): string {
  const parsed = parseClientAddress(address);
  if (parsed === undefined) return "";
  const { version, words } = parsed;
  return version === 4 ? fourOctets(words[3]) : words.map(fourOctets).join("");
}

/** A key for the /24 network of an IPv4 address, or the /56 network of an IPv6 address. */
function addressNetwork(address: string): string {
  const octets = addressOctets(address);
  return octets.slice(0, octets.length === 4 ? 3 : 7);
}
