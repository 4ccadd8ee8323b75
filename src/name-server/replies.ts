import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { writeResponse, type Response } from "../core/dns/served/response.ts";
import { flagBits } from "../core/dns/wire/codes.ts";
import { readHeader, type Question } from "../core/dns/wire/message.ts";
import type { TsigKey } from "../core/dns/wire/tsig-signing.ts";
import { WireWriter } from "../core/dns/wire/writer.ts";
import {
  AnswerCache,
  type AnsweringZone,
  type FoundZone,
  type PreparedAnswer,
  type PreparedResponse,
} from "./answer-cache.ts";
import type { Query, Transport } from "./listener.ts";
import { codeAlone } from "./response-form.ts";
import type { ResponseRateLimit } from "./response-rate-limit.ts";

/** A query whose signature has been verified, or that has none. */
export interface Asked extends Query {
  readonly key?: TsigKey;
}

/** A query that has been answered. */
export interface Outcome {
  readonly address: string;
  readonly transport: Transport;
  readonly question: Question | undefined;
  /** The zone that answered. */
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
