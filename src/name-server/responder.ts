import { answerQuestion } from "../core/dns/served/answer.ts";
import type { ZoneView } from "../core/dns/served/zone-view.ts";
import type { Answer, Sources, Wanted } from "../core/dns/served/sources.ts";
import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import {
  classCodes,
  flagBits,
  opcodeOf,
  opcodes,
  rcodes,
  tsigErrors,
  typeCodes,
  rcodeName,
  typeName,
} from "../core/dns/wire/codes.ts";
import { checkCookie } from "../core/dns/wire/cookies.ts";
import { optionCodes, readEdns, type Edns } from "../core/dns/wire/edns.ts";
import {
  decodeMessage,
  headerOctets,
  readHeader,
  type Message,
  type Question,
} from "../core/dns/wire/message.ts";
import {
  readSigned,
  tsigOctets,
  TsigSigner,
  verifyRequest,
  withTsigError,
  type SignedMessage,
} from "../core/dns/wire/tsig.ts";
import { foldName } from "../core/dns/wire/names.ts";
import { WireError } from "../core/dns/wire/octets.ts";
import type { FoundZone } from "./answer-cache.ts";
import {
  addressOctets,
  Replies,
  type Asked,
  type RepliesOptions,
  codeAlone,
  payloadMax,
  plainEdns,
  responseFlags,
  tcpPayloadMax,
  udpPayloadMin,
  type ResponseEdns,
  type Outcome,
  ResponseRateLimit,
} from "./replies.ts";
import { hmac } from "./hmac.ts";
import { isTransfer, type Query, type Response, type Respond } from "./listeners.ts";
import { Transfers, type TransferSource } from "./transfers.ts";
import { soaOf, ZoneAccess } from "./zone-access.ts";
import { OutsideTargets, type LookUpAddresses } from "./outside-addresses.ts";
import type { QueryCounts } from "./query-counts.ts";

/** Passes a query on to another responder; undefined if this one has to answer it. */
export type PassOn = (query: Query, message: Message) => Promise<Response> | undefined;

interface ResponderOptions extends RepliesOptions {
  readonly zones: Pick<ZoneIndex, "enclosing" | "revision" | "inChargeOf" | "cold">;
  /** Reads a zone that a look-up found cold. Rejects where it cannot be read in time. */
  readonly readZone: (zone: ColdZone) => Promise<void>;
  /** Whether the names of all zones are known. Before that, a name that is in no zone may be in one that is missing. */
  readonly isComplete: () => boolean;
  readonly outside: {
    readonly addressesOf: Sources["outside"];
    /** Looks addresses up. Afterwards `addressesOf` has them, or a failure. */
    readonly lookUp: (wanted: Wanted, accountId: string) => Promise<void>;
  };
  /** Undefined if this server transfers no zones. */
  readonly transfers?: TransferSource | undefined;
  readonly passOn?: PassOn | undefined;
  /** 16 random octets that DNS cookies are made with. */
  readonly cookieSecret: Uint8Array;
}

/** The largest number of names that are looked up for one answer, along a chain of flattened CNAMEs. */
const lookUpsMax = 4;
/** Zones that are read for one answer. */
const readsMax = 16;

/** A response without records. */
interface Refusal {
  readonly id: number;
  readonly flags: number;
  readonly rcode: number;
  readonly question?: Question | undefined;
  readonly edns?: ResponseEdns | undefined;
}

/** An active zone that has to be read before a question can be answered. */
type ColdZone = NonNullable<ZoneIndex["cold"]>;

/** A zone or addresses that an answer lacks. */
type Missing = { readonly cold: ColdZone } | { readonly wanted: Wanted };

/** A question, and how to answer it. */
interface Wish {
  readonly question: Question;
  /** Whether the answer has DNSSEC signatures and proofs. */
  readonly isSecure: boolean;
  /** Whether an ANY question gets all record sets, and not only one. */
  readonly allAtOnce: boolean;
}

interface Header {
  readonly id: number;
  readonly flags: number;
}

/**
 * Answers messages: bytes in, bytes out. No message of a client makes it throw. It waits only for look-ups of flattened
 * CNAMEs, and for the store when a message is signed, a transfer, a notification or about a catalog zone.
 */
export class Responder {
  readonly #options: ResponderOptions;
  readonly #replies: Replies;
  readonly #zoneOf: Sources["zoneOf"];
  readonly #transfers: Transfers | undefined;
  readonly #access: ZoneAccess;

  constructor(options: ResponderOptions) {
    this.#options = options;
    this.#replies = new Replies(options);
    const { zones, transfers, isComplete, outside } = options;
    this.#zoneOf = (name, isAbove) => zones.enclosing(name, isAbove);
    const zoneOf = this.#zoneOf;
    const known = (name: string): Promise<void> | undefined => this.#untilKnown(name);
    this.#access = new ZoneAccess({ zoneOf, untilKnown: known, transfers, isComplete });
    this.#transfers = transfers && new Transfers(transfers, { zoneOf, ...outside });
  }

  /** The response; undefined if none is to be sent. */
  respond(query: Query): Response | Promise<Response> {
    const { bytes } = query;
    if (bytes.length < headerOctets) return undefined;
    const prepared = this.#replies.find(query, this.#options.zones);
    if (prepared !== undefined) return this.#replies.repeat(query, prepared);
    const { id, flags } = readHeader(bytes);
    if ((flags & flagBits.response) !== 0) return undefined;
    const header = { id, flags: responseFlags(flags) };
    try {
      const message = decodeMessage(bytes);
      const elsewhere = this.#options.passOn?.(query, message);
      if (elsewhere !== undefined) return elsewhere;
      const signed = readSigned(bytes, message);
      return signed === undefined
        ? this.#respondTo(query, header, message)
        : this.#respondSigned(query, header, message, signed).catch((error: unknown) =>
            this.#refuseMalformed(query, header, error),
          );
    } catch (error) {
      return this.#refuseMalformed(query, header, error);
    }
  }

  #refuseMalformed(query: Query, header: Header, error: unknown): Uint8Array | undefined {
    if (!(error instanceof WireError)) throw error;
    const rcode = opcodeOf(header.flags) === opcodes.query ? rcodes.FORMERR : rcodes.NOTIMP;
    return this.#refuse(query, { ...header, rcode });
  }

  #respondTo(asked: Asked, header: Header, message: Message): Response | Promise<Response> {
    const edns = readEdns(message);
    const opcode = opcodeOf(header.flags);
    if (opcode === opcodes.query) return this.#answerMessage(asked, message, edns, header.flags);
    const [question] = message.questions;
    const respond = (rcode: number): Uint8Array | undefined =>
      this.#refuse(asked, { ...header, rcode, question, edns: edns && plainEdns(edns) });
    if (opcode !== opcodes.notify) return respond(rcodes.NOTIMP);
    const isOfZone = question?.type === typeCodes.SOA && question.class === classCodes.IN;
    if (!isOfZone || message.questions.length > 1) return respond(rcodes.REFUSED);
    return this.#access.takeNotification(asked, question).then(respond);
  }

  /** Verifies a signed message, and signs the response with the same key (RFC 8945 section 5.3). */
  async #respondSigned(
    query: Query,
    header: Header,
    message: Message,
    signed: SignedMessage,
  ): Promise<Response> {
    const [question] = message.questions;
    const nowSeconds = (): number => Math.floor(this.#options.nowMs() / 1000);
    const rules = await this.#access.rulesAt(question, opcodeOf(header.flags) === opcodes.notify);
    if (rules === "unavailable") return this.#refuse(query, { ...header, rcode: rcodes.SERVFAIL, question });
    const verification = verifyRequest(signed, rules?.keys ?? [], nowSeconds(), hmac);
    const signer = verification.key && new TsigSigner(verification.key, signed.tsig.mac, nowSeconds, hmac);
    if (!verification.isVerified || signer === undefined) {
      const error = verification.isVerified ? tsigErrors.BADKEY : verification.error;
      const refusal = this.#refuse(query, { ...header, rcode: rcodes.NOTAUTH, question });
      if (refusal === undefined) return undefined;
      return signer === undefined
        ? withTsigError(refusal, signed, error)
        : signer.signBadTime(refusal, signed.tsig);
    }
    const response = await this.#respondTo({ ...query, key: verification.key }, header, message);
    if (response === undefined) return undefined;
    return isTransfer(response) ? signEach(response, signer) : signer.sign(response);
  }

  #answerMessage(
    query: Asked,
    message: Message,
    edns: Edns | undefined,
    flags: number,
  ): Response | Promise<Response> {
    const { id, questions } = message;
    const [question] = questions;
    if (edns !== undefined && edns.version > 0) {
      return this.#refuse(query, { id, flags, rcode: rcodes.BADVERS, question, edns: plainEdns(edns) });
    }
    const cookie = this.#checkCookie(edns, query.address);
    const responseEdns = edns && {
      ...plainEdns(edns),
      options: cookie === undefined ? [] : [{ code: optionCodes.cookie, data: cookie.answer }],
    };
    const refuse = (rcode: number): Uint8Array | undefined =>
      this.#refuse(query, { id, flags, rcode, question, edns: responseEdns }, cookie?.isValid);
    // A message without a question asks for a cookie alone (RFC 7873 section 5.4).
    if (question === undefined) return refuse(cookie === undefined ? rcodes.FORMERR : rcodes.NOERROR);
    if (questions.length > 1) return refuse(rcodes.FORMERR);
    if (question.class !== classCodes.IN) return refuse(rcodes.REFUSED);
    if (question.type === typeCodes.AXFR && query.transport === "udp") return refuse(rcodes.NOTIMP);
    if (question.type === typeCodes.AXFR || question.type === typeCodes.IXFR) {
      if (question.type === typeCodes.IXFR && soaOf(message) === undefined) return refuse(rcodes.FORMERR);
      return this.#transfer(query, message, question, { id, flags, edns: responseEdns }, refuse);
    }

    const sizeMax = payloadMax(query.transport, edns) - reservedOctets(query);
    const isAlikeForAll = cookie === undefined && query.key === undefined;
    const respondWith = (answer: Answer, from?: readonly FoundZone[]): Uint8Array | undefined =>
      this.#replies.send(
        query,
        { id, flags, question, answer, edns: responseEdns, sizeMax },
        cookie?.isValid === true,
        from,
      );
    const catalog = this.#access.catalogOf(question);
    if (catalog !== undefined) {
      const sources = { zoneOf: () => catalog, outside: () => "failed" as const };
      return this.#access.mayHave(catalog, query).then((isAllowed) => {
        const answer = answerQuestion(question, sources, query.transport === "tcp");
        return isAllowed && !("name" in answer) ? respondWith(answer) : refuse(rcodes.REFUSED);
      });
    }
    const wish = { question, isSecure: edns?.dnssecOk === true, allAtOnce: query.transport === "tcp" };
    const from: FoundZone[] = [];
    const answer = this.#answer(wish, (found) => from.push(found));
    if ("rcode" in answer) {
      // Answers about names outside of our zones are not cached, as a new catalog zone may contain them.
      const isCached = answer.isLasting && answer.zone !== undefined && isAlikeForAll;
      return respondWith(answer, isCached ? from : undefined);
    }
    return this.#answerLate(wish, answer).then((late) => respondWith(late));
  }

  /** Transfers a zone, or its changes since the client's serial. */
  async #transfer(
    asked: Asked,
    message: Message,
    question: Question,
    { id, flags, edns }: Header & { readonly edns: ResponseEdns | undefined },
    refuse: (rcode: number) => Uint8Array | undefined,
  ): Promise<Response> {
    const granted = await this.#access.judge(asked, message, question);
    if (typeof granted === "number") return refuse(granted);
    if (this.#transfers?.hasRoomFor(granted.zone) !== true) return refuse(rcodes.SERVFAIL);
    const { zone, since, backlogSerial } = granted;
    this.#options.observe({ ...asked, question, zone, rcode: rcodes.NOERROR });
    if (asked.transport === "udp") return this.#currentSoa(asked, zone, question, { id, flags, edns });
    const response = { id, flags, question, edns, reserved: reservedOctets(asked) };
    return this.#transfers.messagesOf(zone, response, { since, backlogSerial, address: asked.address });
  }

  /**
   * The response over UDP: the latest SOA record, which tells the client whether to ask over TCP (RFC 1995
   * section 2).
   */
  #currentSoa(
    asked: Asked,
    zone: ZoneView,
    question: Question,
    { id, flags, edns }: Header & { readonly edns: ResponseEdns | undefined },
  ): Uint8Array {
    const answers = [{ name: zone.name, set: zone.soa }];
    return this.#replies.write({
      id,
      flags,
      question,
      answer: { ...codeAlone(rcodes.NOERROR), isAuthoritative: true, answers },
      edns,
      sizeMax: udpPayloadMin - reservedOctets(asked),
    });
  }

  #answer(
    { question, isSecure, allAtOnce }: Wish,
    onFound: (zone: FoundZone) => void = () => undefined,
  ): Answer | Missing {
    const { isComplete, outside, zones } = this.#options;
    let cold: ColdZone | undefined;
    const zoneOf: Sources["zoneOf"] = (name, isAbove) => {
      const zone = zones.inChargeOf(name, isAbove);
      cold ??= zones.cold;
      onFound({ name, isAbove, revision: zone?.revision });
      return zone?.view;
    };
    const sources = { zoneOf, outside: outside.addressesOf, isSecure };
    const answer = answerQuestion(question, sources, allAtOnce);
    if (cold !== undefined) return { cold };
    if ("name" in answer) return { wanted: answer };
    return answer.rcode !== rcodes.REFUSED || isComplete() ? answer : { ...answer, rcode: rcodes.SERVFAIL };
  }

  /** Answers a question once what it lacks has been read or looked up. */
  async #answerLate(wish: Wish, first: Missing): Promise<Answer> {
    const { outside, readZone } = this.#options;
    let missing = first;
    for (let [lookUps, reads] = [0, 0]; lookUps < lookUpsMax && reads < readsMax;) {
      if ("cold" in missing) {
        reads += 1;
        const isRead = await readZone(missing.cold).then(
          () => true,
          () => false,
        );
        if (!isRead) break;
      } else {
        lookUps += 1;
        const accountId = this.#zoneOf(foldName(wish.question.name), false)?.accountId ?? "";
        await outside.lookUp(missing.wanted, accountId);
      }
      const answer = this.#answer(wish);
      if ("rcode" in answer) return answer;
      missing = answer;
    }
    return codeAlone(rcodes.SERVFAIL);
  }

  /** Reads the zones that have a say in who answers for a folded name; undefined where all are known. */
  #untilKnown(name: string, readsLeft = readsMax): Promise<void> | undefined {
    const { zones, readZone } = this.#options;
    zones.enclosing(name, false);
    if (zones.cold === undefined) return undefined;
    if (readsLeft === 0) return Promise.reject(new Error(`${name}: too many zones have to be read`));
    return readZone(zones.cold).then(() => this.#untilKnown(name, readsLeft - 1));
  }

  #checkCookie(edns: Edns | undefined, address: string): ReturnType<typeof checkCookie> | undefined {
    const cookie = edns?.options.find(({ code }) => code === optionCodes.cookie);
    if (cookie === undefined) return undefined;
    const { cookieSecret: secret, nowMs } = this.#options;
    return checkCookie(cookie.data, addressOctets(address), {
      secret,
      nowSeconds: Math.floor(nowMs() / 1000),
    });
  }

  #refuse(
    query: Asked,
    { id, flags, rcode, question, edns }: Refusal,
    hasValidCookie = false,
  ): Uint8Array | undefined {
    const answer = codeAlone(rcode);
    const sizeMax = (query.transport === "tcp" ? tcpPayloadMax : udpPayloadMin) - reservedOctets(query);
    return this.#replies.send(query, { id, flags, question, answer, edns, sizeMax }, hasValidCookie);
  }
}

/** The octets that the signature of the response takes. */
function reservedOctets({ key }: Asked): number {
  return key === undefined ? 0 : tsigOctets(key);
}

async function* signEach(
  messages: AsyncIterable<Uint8Array>,
  signer: TsigSigner,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const message of messages) yield signer.sign(message);
}

/** Writes lines of the log. */
export interface Log {
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export interface RespondOptions {
  readonly zones: ZoneIndex;
  /** Reads a zone that a look-up found cold; not needed where the index has all zones. */
  readonly readZone?: (zone: ColdZone) => Promise<void>;
  /** Whether the names of all zones are known. */
  readonly isComplete: () => boolean;
  readonly lookUpAddresses: LookUpAddresses;
  /** Undefined if this server transfers no zones. */
  readonly transfers?: TransferSource;
  readonly passOn?: PassOn;
  /** Equal responses that one network gets in a second over UDP; undefined for no limit. */
  readonly responsesPerSecond: number | undefined;
  /** 16 random octets that DNS cookies are made with. */
  readonly cookieSecret: Uint8Array;
  readonly logsQueries: boolean;
  readonly now: () => Date;
  readonly logger: Log;
  readonly counts: Pick<QueryCounts, "observe">;
}

/** Makes the function that answers messages, counts them and logs errors. */
export function createRespond({
  zones,
  readZone = () => Promise.resolve(),
  isComplete,
  lookUpAddresses,
  transfers,
  passOn,
  responsesPerSecond,
  cookieSecret,
  logsQueries,
  now,
  logger,
  counts,
}: RespondOptions): Respond {
  const nowMs = (): number => now().getTime();
  const responder = new Responder({
    zones,
    readZone,
    isComplete,
    outside: new OutsideTargets(lookUpAddresses, nowMs),
    transfers,
    passOn,
    cookieSecret,
    rateLimit: responsesPerSecond === undefined ? undefined : new ResponseRateLimit(responsesPerSecond),
    nowMs,
    observe: (outcome) => {
      counts.observe(outcome);
      if (logsQueries) logger.info(logged(outcome), "DNS query");
    },
  });
  const failed = (error: unknown): undefined => {
    logger.error({ err: error }, "a DNS query could not be answered");
  };
  return (query) => {
    try {
      const answer = responder.respond(query);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

function logged({ address, transport, question, rcode }: Outcome): object {
  const { name, type } = question ?? {};
  return {
    address,
    transport,
    name,
    type: type === undefined ? undefined : typeName(type),
    code: rcodeName(rcode),
  };
}
