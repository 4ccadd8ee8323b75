import { randomInt } from "node:crypto";
import { connect } from "node:net";
import {
  readStartOfAuthority,
  serialAlone,
  type StartOfAuthority,
} from "../core/dns/wire/start-of-authority.ts";
import { TransferReader, type Transferred } from "../core/dns/wire/transfer-reader.ts";
import { classCodes, flagBits, opcodeOf, opcodes, rcodeName, typeCodes } from "../core/dns/wire/codes.ts";
import { decodeMessage, encodeMessage, type Message } from "../core/dns/wire/message.ts";
import { foldName } from "../core/dns/wire/names.ts";
import { TsigSigner, type TsigKey, TsigVerifier } from "../core/dns/wire/tsig.ts";
import { WireError } from "../core/dns/wire/octets.ts";
import { hmac } from "./hmac.ts";
import { LengthFramer, type SocketAddress } from "./listeners.ts";

/** The server from which a zone is transferred. */
export interface PrimaryServer {
  readonly address: SocketAddress;
  /** The key that signs the messages of both sides; undefined if they are not signed. */
  readonly key: TsigKey | undefined;
}

export interface TransferLimits {
  /** Milliseconds for which the primary may be silent. */
  readonly silentMs: number;
  readonly recordsMax: number;
}

/** The bounds of the work of which a request is a part. */
export interface RequestBounds {
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** Is told of the octets that arrive; throws a WireError for too many. */
  readonly spend: (octets: number) => void;
}

export const transferLimits: TransferLimits = { silentMs: 10_000, recordsMax: 1_000_000 };

/** After so much work in one turn, other work comes first. */
const turnMsMax = 10;

interface ClientOptions {
  readonly nowMs: () => number;
  readonly limits?: TransferLimits;
}

interface Question {
  readonly zone: string;
  readonly type: number;
  /** The serial of an incremental request. */
  readonly since: number | undefined;
}

const idsEnd = 65_536;

/**
 * Asks a primary server for zones, over TCP. Methods throw WireError for a wrong answer, and the errors of the
 * connection.
 */
export class TransferClient {
  readonly #options: ClientOptions;
  readonly #limits: TransferLimits;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#limits = options.limits ?? transferLimits;
  }

  /** The server's SOA record of a zone. The name of the zone is folded. */
  async askSoa(zone: string, primary: PrimaryServer, bounds: RequestBounds): Promise<StartOfAuthority> {
    for await (const { answers } of this.#ask(
      { zone, type: typeCodes.SOA, since: undefined },
      primary,
      bounds,
    )) {
      const soa = answers.find(({ name, type }) => type === typeCodes.SOA && foldName(name) === zone);
      if (soa === undefined) throw new WireError("the answer has no SOA record of the zone");
      return readStartOfAuthority(soa);
    }
    throw new WireError("there was no answer");
  }

  /** Transfers the zone, or its changes since a serial if the server still has them. */
  async transfer(
    zone: string,
    since: number | undefined,
    primary: PrimaryServer,
    bounds: RequestBounds,
  ): Promise<Transferred> {
    const reader = new TransferReader(zone, since, this.#limits.recordsMax);
    const type = since === undefined ? typeCodes.AXFR : typeCodes.IXFR;
    let turnBegan = performance.now();
    for await (const { answers, verified } of this.#ask({ zone, type, since }, primary, bounds)) {
      const transferred = reader.read(answers);
      if (transferred === undefined) {
        if (performance.now() - turnBegan < turnMsMax) continue;
        await new Promise(setImmediate);
        turnBegan = performance.now();
        continue;
      }
      verified();
      return transferred;
    }
    throw new WireError("there was no answer");
  }

  /** The messages of a response, after their signatures have been verified. */
  async *#ask(
    { zone, type, since }: Question,
    { address, key }: PrimaryServer,
    bounds: RequestBounds,
  ): AsyncGenerator<Pick<Message, "answers"> & { readonly verified: () => void }, void, undefined> {
    const id = randomInt(idsEnd);
    const soa = { name: zone, type: typeCodes.SOA, class: classCodes.IN, ttl: 0 };
    const query = encodeMessage({
      id,
      flags: 0,
      questions: [{ name: zone, type, class: classCodes.IN }],
      answers: [],
      authorities: since === undefined ? [] : [{ ...soa, rdata: serialAlone(since) }],
      additionals: [],
    });
    const nowSeconds = (): number => Math.floor(this.#options.nowMs() / 1000);
    const signer = key && new TsigSigner(key, "", nowSeconds, hmac);
    const sent = signer?.sign(query) ?? query;
    const verifier = key && new TsigVerifier(key, signer?.mac ?? "", nowSeconds, hmac);
    for await (const bytes of this.#exchange(address, sent, bounds)) {
      const message = decodeMessage(bytes);
      const { flags, questions, answers } = message;
      const isAnswer = (flags & flagBits.response) !== 0 && opcodeOf(flags) === opcodes.query;
      if (message.id !== id || !isAnswer) throw new WireError("a message is no answer to the question");
      const rcode = flags & flagBits.rcode;
      // A server may refuse a request without signing the refusal.
      if (rcode !== 0) throw new WireError(`the answer is ${rcodeName(rcode)}`);
      verifier?.verify(bytes, message);
      const isOther = questions.some((one) => one.type !== type || foldName(one.name) !== zone);
      if (isOther) throw new WireError("a message answers another question");
      yield { answers, verified: () => verifier?.end() };
    }
  }

  async *#exchange(
    { host, port }: SocketAddress,
    query: Uint8Array,
    { signal, spend }: RequestBounds,
  ): AsyncGenerator<Buffer, void, undefined> {
    const socket = connect({ host, port, noDelay: true, signal });
    socket.setTimeout(this.#limits.silentMs, () => socket.destroy(new WireError("the server is silent")));
    try {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      socket.write(Buffer.concat([length, query]));
      const framer = new LengthFramer();
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        spend(chunk.length);
        framer.push(chunk);
        for (let bytes = framer.next(); bytes !== undefined; bytes = framer.next()) yield bytes;
      }
      throw new WireError("the server ended the connection early");
    } finally {
      socket.destroy();
    }
  }
}
