import { fourOctetsAt, twoOctets, twoOctetsAt, fourOctets, WireError, toBytes } from "./octets.ts";
import { nameAt, nameToOctets, foldName } from "./names.ts";
import { classCodes, tsigErrors, typeCodes } from "./codes.ts";
import type { Message } from "./message.ts";
import { WireReader } from "./reader.ts";

/**
 * The algorithms of TSIG keys (RFC 8945 section 6) by their names in messages: the hash function, and the
 * octets of its result.
 */
export const tsigAlgorithms = {
  "hmac-md5.sig-alg.reg.int": { hash: "md5", octets: 16 },
  "hmac-sha1": { hash: "sha1", octets: 20 },
  "hmac-sha224": { hash: "sha224", octets: 28 },
  "hmac-sha256": { hash: "sha256", octets: 32 },
  "hmac-sha384": { hash: "sha384", octets: 48 },
  "hmac-sha512": { hash: "sha512", octets: 64 },
} as const;

export type TsigAlgorithm = keyof typeof tsigAlgorithms;
type TsigHash = (typeof tsigAlgorithms)[TsigAlgorithm]["hash"];

/** The algorithm of a name in any letter case, with or without a final dot; undefined for an unknown one. */
export function parseTsigAlgorithm(text: string): TsigAlgorithm | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  return Object.hasOwn(tsigAlgorithms, name) ? (name as TsigAlgorithm) : undefined;
}

/** The data of a TSIG record (RFC 8945 section 4.2). */
export interface Tsig {
  /** Name of the algorithm, `hmac-sha256`. */
  readonly algorithm: string;
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  readonly fudgeSeconds: number;
  /** Octets. */
  readonly mac: string;
  readonly originalId: number;
  readonly error: number;
  /** Octets. */
  readonly other: string;
}

/** Reads the data of a TSIG record. Throws a WireError where it is malformed. */
export function readTsig(rdata: string): Tsig {
  const { name: algorithm, end: timeAt } = nameAt(rdata, 0);
  const macAt = timeAt + 10;
  const macEnd = macAt + twoOctetsAt(rdata, timeAt + 8);
  const otherAt = macEnd + 6;
  const end = otherAt + twoOctetsAt(rdata, macEnd + 4);
  if (end !== rdata.length) throw new WireError("a TSIG record is malformed");
  return {
    algorithm,
    timeSigned: twoOctetsAt(rdata, timeAt) * 2 ** 32 + fourOctetsAt(rdata, timeAt + 2),
    fudgeSeconds: twoOctetsAt(rdata, timeAt + 6),
    mac: rdata.slice(macAt, macEnd),
    originalId: twoOctetsAt(rdata, macEnd),
    error: twoOctetsAt(rdata, macEnd + 2),
    other: rdata.slice(otherAt),
  };
}

/** The data of a TSIG record. Throws a WireError for an algorithm that is not a valid name. */
export function tsigRdata({
  algorithm,
  timeSigned,
  fudgeSeconds,
  mac,
  originalId,
  error,
  other,
}: Tsig): string {
  return [
    nameToOctets(algorithm),
    twoOctets(Math.floor(timeSigned / 2 ** 32)),
    fourOctets(timeSigned % 2 ** 32),
    twoOctets(fudgeSeconds),
    twoOctets(mac.length) + mac,
    twoOctets(originalId),
    twoOctets(error),
    twoOctets(other.length) + other,
  ].join("");
}

/** A key that both sides know. */
export interface TsigKey {
  /** Folded, without final dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** The HMAC of the concatenated parts (RFC 2104). */
export type Hmac = (hash: TsigHash, secret: Uint8Array, parts: readonly Uint8Array[]) => Uint8Array;

/** A message with a TSIG record. */
export interface SignedMessage {
  /** The octets that were signed: without the TSIG record, and with the original id. */
  readonly bytes: Uint8Array;
  /** Folded. */
  readonly keyName: string;
  readonly tsig: Tsig;
}

/** Seconds by which two clocks may differ (RFC 8945 section 10). */
const fudge = 300;
const headerOctets = 12;
const additionalCountAt = 10;
/** A MAC may be truncated to half of its length, but not below 10 octets (RFC 8945 section 5.2.2.1). */
const macOctetsMin = 10;

/**
 * The part of a message that was signed, and its TSIG record; undefined if it has none. Throws a WireError if
 * the record is malformed, or not the last of the additional section.
 */
export function readSigned(bytes: Uint8Array, message: Message): SignedMessage | undefined {
  const { answers, authorities, additionals } = message;
  const isTsig = ({ type }: { readonly type: number }): boolean => type === typeCodes.TSIG;
  const last = additionals.at(-1);
  const isMisplaced = [...answers, ...authorities, ...additionals.slice(0, -1)].some(isTsig);
  if (isMisplaced) throw new WireError("a TSIG record is not the last one");
  if (last === undefined || !isTsig(last)) return undefined;
  if (last.class !== classCodes.ANY || last.ttl !== 0) throw new WireError("a TSIG record is malformed");
  const tsig = readTsig(last.rdata);
  // A slice of a Buffer would share its memory.
  const signed = Uint8Array.from(bytes.subarray(0, startOfLastRecord(bytes, message)));
  const view = new DataView(signed.buffer);
  view.setUint16(0, tsig.originalId);
  view.setUint16(additionalCountAt, additionals.length - 1);
  return { bytes: signed, keyName: foldName(last.name), tsig };
}

function startOfLastRecord(
  bytes: Uint8Array,
  { questions, answers, authorities, additionals }: Message,
): number {
  const reader = new WireReader(bytes);
  reader.octets(headerOctets);
  for (let left = questions.length; left > 0; left -= 1) {
    reader.name();
    reader.fourOctets();
  }
  for (let left = answers.length + authorities.length + additionals.length - 1; left > 0; left -= 1) {
    reader.name();
    reader.octets(8);
    reader.octets(reader.twoOctets());
  }
  return reader.at;
}

/** The result of verifying the signature of a request. */
export type Verification =
  | { readonly isVerified: true; readonly key: TsigKey }
  /** `key` signs the response, where it may be signed. */
  | { readonly isVerified: false; readonly error: number; readonly key: TsigKey | undefined };

/**
 * Verifies a request by those of `keys` that have its key's name and algorithm. Throws a WireError for a MAC of a
 * length that none has.
 */
export function verifyRequest(
  { bytes, keyName, tsig }: SignedMessage,
  keys: readonly TsigKey[],
  nowSeconds: number,
  hmac: Hmac,
): Verification {
  const algorithm = foldName(tsig.algorithm);
  const named = keys.filter((key) => key.name === keyName && key.algorithm === algorithm);
  const [first] = named;
  if (first === undefined) return { isVerified: false, error: tsigErrors.BADKEY, key: undefined };
  const { octets } = tsigAlgorithms[first.algorithm];
  if (tsig.mac.length > octets || tsig.mac.length < Math.max(macOctetsMin, octets / 2)) {
    throw new WireError("a MAC has the wrong length");
  }
  const parts = [bytes, toBytes(variables(first.name, tsig))];
  const mac = toBytes(tsig.mac);
  const key = named.find(({ algorithm: of, secret }) =>
    isSameMac(hmac(tsigAlgorithms[of].hash, secret, parts).subarray(0, mac.length), mac),
  );
  if (key === undefined) return { isVerified: false, error: tsigErrors.BADSIG, key: undefined };
  if (Math.abs(nowSeconds - tsig.timeSigned) > tsig.fudgeSeconds) {
    return { isVerified: false, error: tsigErrors.BADTIME, key };
  }
  return { isVerified: true, key };
}

/** The time that it takes does not tell where they differ. */
function isSameMac(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, octet] of one.entries()) difference |= octet ^ (other[index] ?? 0);
  return difference === 0;
}

/** The octets that signing adds to a message. */
export function tsigOctets({ name, algorithm }: TsigKey): number {
  const otherOctetsMax = 6;
  return (
    nameToOctets(name).length +
    10 +
    nameToOctets(algorithm).length +
    16 +
    tsigAlgorithms[algorithm].octets +
    otherOctetsMax
  );
}

/** Signs a request, or the messages of one response after another (RFC 8945 section 5.3). */
export class TsigSigner {
  readonly #key: TsigKey;
  readonly #hmac: Hmac;
  readonly #nowSeconds: () => number;
  #priorMac: string;
  #isFirst = true;

  /** `requestMac` is that of the request to which responses are signed; empty for a request. */
  constructor(key: TsigKey, requestMac: string, nowSeconds: () => number, hmac: Hmac) {
    this.#key = key;
    this.#priorMac = requestMac;
    this.#nowSeconds = nowSeconds;
    this.#hmac = hmac;
  }

  /** The MAC of the last message. The MAC of a request verifies its responses. */
  get mac(): string {
    return this.#priorMac;
  }

  sign(bytes: Uint8Array): Uint8Array {
    return this.#sign(bytes, { timeSigned: this.#nowSeconds(), fudgeSeconds: fudge, error: 0, other: "" });
  }

  /** Says that the clocks differ, and what time it is here. */
  signBadTime(bytes: Uint8Array, { timeSigned, fudgeSeconds }: Tsig): Uint8Array {
    const other = sixOctets(this.#nowSeconds());
    return this.#sign(bytes, { timeSigned, fudgeSeconds, error: tsigErrors.BADTIME, other });
  }

  #sign(bytes: Uint8Array, said: Pick<Tsig, "timeSigned" | "fudgeSeconds" | "error" | "other">): Uint8Array {
    const { name, algorithm, secret } = this.#key;
    const prior = this.#priorMac === "" ? "" : twoOctets(this.#priorMac.length) + this.#priorMac;
    const signed = this.#isFirst ? variables(name, { algorithm, ...said }) : timers(said);
    const mac = this.#hmac(tsigAlgorithms[algorithm].hash, secret, [toBytes(prior), bytes, toBytes(signed)]);
    this.#isFirst = false;
    this.#priorMac = String.fromCharCode(...mac);
    return withTsig(bytes, name, { algorithm, mac: this.#priorMac, ...said });
  }
}

/** Tells that a message could not be verified, without a signature (RFC 8945 section 5.3.2). */
export function withTsigError(
  bytes: Uint8Array,
  { keyName, tsig }: SignedMessage,
  error: number,
): Uint8Array {
  return withTsig(bytes, keyName, { ...tsig, mac: "", error, other: "" });
}

function withTsig(bytes: Uint8Array, name: string, tsig: Omit<Tsig, "originalId">): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rdata = tsigRdata({ ...tsig, originalId: view.getUint16(0) });
  const record =
    nameToOctets(name) +
    twoOctets(typeCodes.TSIG) +
    twoOctets(classCodes.ANY) +
    fourOctets(0) +
    twoOctets(rdata.length) +
    rdata;
  const signed = new Uint8Array(bytes.length + record.length);
  signed.set(bytes);
  signed.set(toBytes(record), bytes.length);
  new DataView(signed.buffer).setUint16(additionalCountAt, view.getUint16(additionalCountAt) + 1);
  return signed;
}

type SignedFields = Pick<Tsig, "timeSigned" | "fudgeSeconds" | "error" | "other">;

/** The fields of a TSIG record that are signed (RFC 8945 section 4.3.3). */
function variables(
  keyName: string,
  { algorithm, error, other, ...times }: SignedFields & Pick<Tsig, "algorithm">,
): string {
  return [
    nameToOctets(keyName),
    twoOctets(classCodes.ANY),
    fourOctets(0),
    nameToOctets(foldName(algorithm)),
    timers(times),
    twoOctets(error),
    twoOctets(other.length) + other,
  ].join("");
}

function timers({ timeSigned, fudgeSeconds }: Pick<Tsig, "timeSigned" | "fudgeSeconds">): string {
  return sixOctets(timeSigned) + twoOctets(fudgeSeconds);
}

function sixOctets(value: number): string {
  return twoOctets(Math.floor(value / 2 ** 32)) + fourOctets(value % 2 ** 32);
}

/** The most messages in a row that may be unsigned (RFC 8945 section 5.3.1). */
const unsignedMax = 99;

/** Verifies the messages of a response of several messages (RFC 8945 section 5.3). */
export class TsigVerifier {
  readonly #key: TsigKey;
  readonly #hmac: Hmac;
  readonly #nowSeconds: () => number;
  #priorMac: string;
  #isFirst = true;
  #unsigned: Uint8Array[] = [];

  /** `requestMac` is the MAC of the request. */
  constructor(key: TsigKey, requestMac: string, nowSeconds: () => number, hmac: Hmac) {
    this.#key = key;
    this.#priorMac = requestMac;
    this.#nowSeconds = nowSeconds;
    this.#hmac = hmac;
  }

  /**
   * Throws a WireError for a message that another key signed or whose signature is wrong, and for too many
   * unsigned ones.
   */
  verify(bytes: Uint8Array, message: Message): void {
    const signed = readSigned(bytes, message);
    if (signed === undefined) {
      this.#unsigned.push(bytes);
      if (this.#isFirst || this.#unsigned.length > unsignedMax)
        throw new WireError("a message is not signed");
      return;
    }
    const { tsig, keyName } = signed;
    const { name, algorithm, secret } = this.#key;
    if (keyName !== name || foldName(tsig.algorithm) !== algorithm) {
      throw new WireError("a message is signed with another key");
    }
    if (tsig.error !== 0) throw new WireError(`the signature was refused with the error ${tsig.error}`);
    const parts = [
      toBytes(twoOctets(this.#priorMac.length) + this.#priorMac),
      ...this.#unsigned,
      signed.bytes,
      toBytes(this.#isFirst ? variables(name, tsig) : timers(tsig)),
    ];
    const mac = this.#hmac(tsigAlgorithms[algorithm].hash, secret, parts);
    if (!isSameMac(mac, toBytes(tsig.mac))) throw new WireError("a signature is wrong");
    if (Math.abs(this.#nowSeconds() - tsig.timeSigned) > tsig.fudgeSeconds) {
      throw new WireError("a message was signed at another time");
    }
    this.#priorMac = tsig.mac;
    this.#isFirst = false;
    this.#unsigned = [];
  }

  /** Throws a WireError if the last message was not signed. */
  end(): void {
    if (this.#isFirst || this.#unsigned.length > 0) throw new WireError("the last message is not signed");
  }
}
