import { answerQuestion } from "../core/dns/served/answer.ts";
import { writeResponse } from "../core/dns/served/response.ts";
import type { Answer } from "../core/dns/served/sections.ts";
import type { Sources, Wanted } from "../core/dns/served/sources.ts";
import { classCodes, flagBits, opcodeOf, opcodes, rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { judgeCookie } from "../core/dns/wire/cookies.ts";
import { optionCodes, readEdns, type Edns } from "../core/dns/wire/edns.ts";
import {
  decodeMessage,
  headerOctets,
  readHeader,
  type Message,
  type Question,
} from "../core/dns/wire/message.ts";
import { WireError } from "../core/dns/wire/wire-error.ts";
import { WireWriter } from "../core/dns/wire/writer.ts";
import { addressOctets } from "./client-address.ts";
import type { ResponseRateLimit } from "./response-rate-limit.ts";

export type Transport = "udp" | "tcp";

/** A message and where it came from. */
export interface Query {
  readonly bytes: Uint8Array;
  /** Address of its sender, as Node writes it. */
  readonly address: string;
  readonly transport: Transport;
}

/** What became of a query. */
export interface Outcome {
  readonly address: string;
  readonly transport: Transport;
  readonly question: Question | undefined;
  /** The zone of ours that it was about. */
  readonly zone: string | undefined;
  readonly rcode: number;
}

interface ResponderOptions {
  readonly zoneOf: Sources["zoneOf"];
  /** Whether all zones are known: before, a name in none of them may be in one. */
  readonly isComplete: () => boolean;
  readonly outside: {
    readonly addressesOf: Sources["outside"];
    /** Looks them up; afterwards `addressesOf` knows them, or that there was no answer. */
    readonly lookUp: (wanted: Wanted) => Promise<void>;
  };
  /** 16 random octets, for cookies. */
  readonly cookieSecret: Uint8Array;
  /** Undefined for no limit. */
  readonly rateLimit: ResponseRateLimit | undefined;
  readonly nowMs: () => number;
  readonly observe: (outcome: Outcome) => void;
}

/** The largest message over UDP that passes every network unfragmented (DNS flag day 2020). */
const udpPayloadMax = 1232;
const udpPayloadMin = 512;
const tcpPayloadMax = 65_535;
/** As many targets of flattened CNAMEs are looked up for one answer. */
const lookUpsMax = 4;

/** A response that is nothing but a code. */
interface Refusal {
  readonly id: number;
  readonly flags: number;
  readonly rcode: number;
  readonly question?: Question | undefined;
  readonly edns?: ResponseEdns | undefined;
}

type ResponseEdns = Omit<Edns, "extendedRcode">;

/** Answers messages: bytes in, bytes out. Nothing that a client can send makes it throw or wait, but for flattened CNAMEs. */
export class Responder {
  readonly #options: ResponderOptions;
  readonly #writer = new WireWriter();

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** The response; undefined where there is none. */
  respond(query: Query): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const { bytes } = query;
    if (bytes.length < headerOctets) return undefined;
    const { id, flags } = readHeader(bytes);
    if ((flags & flagBits.response) !== 0) return undefined;
    const header = { id, flags: responseFlags(flags) };
    const opcode = opcodeOf(flags);
    try {
      const message = decodeMessage(bytes);
      const edns = readEdns(message);
      if (opcode !== opcodes.query) {
        const rcode = opcode === opcodes.notify ? rcodes.REFUSED : rcodes.NOTIMP;
        return this.#refuse(query, {
          ...header,
          rcode,
          question: message.questions[0],
          edns: edns && plainEdns(edns),
        });
      }
      return this.#answerMessage(query, message, edns, header.flags);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.#refuse(query, {
        ...header,
        rcode: opcode === opcodes.query ? rcodes.FORMERR : rcodes.NOTIMP,
      });
    }
  }

  #answerMessage(
    query: Query,
    message: Message,
    edns: Edns | undefined,
    flags: number,
  ): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const { id, questions } = message;
    const [question] = questions;
    if (edns !== undefined && edns.version > 0) {
      return this.#refuse(query, { id, flags, rcode: rcodes.BADVERS, question, edns: plainEdns(edns) });
    }
    const cookie = this.#judgeCookie(edns, query.address);
    const responseEdns = edns && {
      ...plainEdns(edns),
      options: cookie === undefined ? [] : [{ code: optionCodes.cookie, data: cookie.answer }],
    };
    const refuse = (rcode: number): Uint8Array | undefined =>
      this.#refuse(query, { id, flags, rcode, question, edns: responseEdns }, cookie?.isValid);
    // Without a question, a client asks for a cookie alone (RFC 7873 section 5.4).
    if (question === undefined) return refuse(cookie === undefined ? rcodes.FORMERR : rcodes.NOERROR);
    if (questions.length > 1) return refuse(rcodes.FORMERR);
    if (question.class !== classCodes.IN) return refuse(rcodes.REFUSED);
    const transfer = transferRcode(question, query.transport, message);
    if (transfer !== undefined) return refuse(transfer);

    const respondWith = (answer: Answer): Uint8Array | undefined => {
      this.#observe(query, question, answer);
      const { rcode, source } = answer;
      const verdict = this.#limit(query, cookie?.isValid === true, `${rcode} ${source}`);
      if (verdict === "drop") return undefined;
      return writeResponse(this.#writer, {
        id,
        flags: verdict === "truncate" ? flags | flagBits.truncated : flags,
        question,
        answer: verdict === "truncate" ? codeAlone(rcode) : answer,
        edns: responseEdns,
        sizeMax: payloadMax(query.transport, edns),
      });
    };
    const answer = this.#answer(question, query.transport);
    return "name" in answer
      ? this.#lookUpAndAnswer(question, query.transport, answer).then(respondWith)
      : respondWith(answer);
  }

  #answer(question: Question, transport: Transport): Answer | Wanted {
    const { zoneOf, isComplete, outside } = this.#options;
    const answer = answerQuestion(question, { zoneOf, outside: outside.addressesOf }, transport === "tcp");
    if ("name" in answer || answer.rcode !== rcodes.REFUSED || isComplete()) return answer;
    return { ...answer, rcode: rcodes.SERVFAIL };
  }

  async #lookUpAndAnswer(question: Question, transport: Transport, first: Wanted): Promise<Answer> {
    let wanted = first;
    for (let lookUps = 0; lookUps < lookUpsMax; lookUps += 1) {
      await this.#options.outside.lookUp(wanted);
      const answer = this.#answer(question, transport);
      if (!("name" in answer)) return answer;
      wanted = answer;
    }
    return codeAlone(rcodes.SERVFAIL);
  }

  #judgeCookie(edns: Edns | undefined, address: string): ReturnType<typeof judgeCookie> | undefined {
    const cookie = edns?.options.find(({ code }) => code === optionCodes.cookie);
    if (cookie === undefined) return undefined;
    const { cookieSecret: secret, nowMs } = this.#options;
    return judgeCookie(cookie.data, addressOctets(address), {
      secret,
      nowSeconds: Math.floor(nowMs() / 1000),
    });
  }

  #refuse(
    query: Query,
    { id, flags, rcode, question, edns }: Refusal,
    hasValidCookie = false,
  ): Uint8Array | undefined {
    const answer = codeAlone(rcode);
    this.#observe(query, question, answer);
    const verdict = this.#limit(query, hasValidCookie, String(rcode));
    if (verdict === "drop") return undefined;
    const sizeMax = query.transport === "tcp" ? tcpPayloadMax : udpPayloadMin;
    const given = verdict === "truncate" ? flags | flagBits.truncated : flags;
    return writeResponse(this.#writer, { id, flags: given, question, answer, edns, sizeMax });
  }

  #limit(
    { transport, address }: Query,
    hasValidCookie: boolean,
    response: string,
  ): "send" | "truncate" | "drop" {
    const { rateLimit, nowMs } = this.#options;
    if (rateLimit === undefined || transport === "tcp" || hasValidCookie) return "send";
    return rateLimit.judge(address, response, nowMs());
  }

  #observe({ address, transport }: Query, question: Question | undefined, { rcode, zone }: Answer): void {
    this.#options.observe({ address, transport, question, zone: zone?.name, rcode });
  }
}

/** The flags that a response takes over from its query. */
function responseFlags(flags: number): number {
  return (
    flagBits.response | (flags & (flagBits.opcode | flagBits.recursionDesired | flagBits.checkingDisabled))
  );
}

function plainEdns({ dnssecOk }: Edns): ResponseEdns {
  return { payloadSize: udpPayloadMax, version: 0, dnssecOk, options: [] };
}

function payloadMax(transport: Transport, edns: Edns | undefined): number {
  if (transport === "tcp") return tcpPayloadMax;
  return edns === undefined
    ? udpPayloadMin
    : Math.min(Math.max(edns.payloadSize, udpPayloadMin), udpPayloadMax);
}

/** Zones are not transferred; the code says why. Undefined for other questions. */
function transferRcode(
  { type }: Question,
  transport: Transport,
  { authorities }: Message,
): number | undefined {
  if (type === typeCodes.AXFR) return transport === "udp" ? rcodes.NOTIMP : rcodes.REFUSED;
  if (type !== typeCodes.IXFR) return undefined;
  return authorities.some((record) => record.type === typeCodes.SOA) ? rcodes.REFUSED : rcodes.FORMERR;
}

function codeAlone(rcode: number): Answer {
  return {
    rcode,
    isAuthoritative: false,
    answers: [],
    authorities: [],
    additionals: [],
    additionalsNeeded: 0,
    zone: undefined,
    source: "",
  };
}
