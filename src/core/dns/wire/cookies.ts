import { fourOctets, fourOctetsAt, sliceOctets, toBytes, WireError } from "./octets.ts";

/** A 64-bit word as two unsigned halves: numbers hold 53 bits, and BigInt is slow. */
interface Word {
  low: number;
  high: number;
}

/**
 * SipHash-2-4 of octets under a key of 16 octets, as 8 octets (Aumasson and Bernstein, "SipHash: a fast short-input
 * PRF").
 */
export function sipHash(key: Uint8Array, data: Uint8Array): Uint8Array {
  const keyWords = [wordAt(key, 0), wordAt(key, 8)] as const;
  const state: State = [
    xored(keyWords[0], 0x736f6d65, 0x70736575),
    xored(keyWords[1], 0x646f7261, 0x6e646f6d),
    xored(keyWords[0], 0x6c796765, 0x6e657261),
    xored(keyWords[1], 0x74656462, 0x79746573),
  ];
  const wholeLength = data.length & ~7;
  for (let at = 0; at < wholeLength; at += 8) compress(state, wordAt(data, at));
  const last = wordAt(data, wholeLength);
  last.high = (last.high | (data.length << 24)) >>> 0;
  compress(state, last);
  state[2].low = (state[2].low ^ 0xff) >>> 0;
  for (let round = 0; round < 4; round += 1) sipRound(state);
  const low = state.reduce((all, { low: half }) => all ^ half, 0);
  const high = state.reduce((all, { high: half }) => all ^ half, 0);
  return Uint8Array.from({ length: 8 }, (_, index) => (index < 4 ? low : high) >>> ((index & 3) * 8));
}

type State = [Word, Word, Word, Word];

function compress(state: State, word: Word): void {
  xor(state[3], word);
  sipRound(state);
  sipRound(state);
  xor(state[0], word);
}

function sipRound([v0, v1, v2, v3]: State): void {
  add(v0, v1);
  rotate(v1, 13);
  xor(v1, v0);
  swap(v0);
  add(v2, v3);
  rotate(v3, 16);
  xor(v3, v2);
  add(v0, v3);
  rotate(v3, 21);
  xor(v3, v0);
  add(v2, v1);
  rotate(v1, 17);
  xor(v1, v2);
  swap(v2);
}

function add(word: Word, other: Word): void {
  const low = word.low + other.low;
  word.high = (word.high + other.high + (low > 0xffff_ffff ? 1 : 0)) >>> 0;
  word.low = low >>> 0;
}

function xor(word: Word, other: Word): void {
  word.low = (word.low ^ other.low) >>> 0;
  word.high = (word.high ^ other.high) >>> 0;
}

/** Rotates to the left by less than 32 bits. */
function rotate(word: Word, bits: number): void {
  const { low, high } = word;
  word.low = ((low << bits) | (high >>> (32 - bits))) >>> 0;
  word.high = ((high << bits) | (low >>> (32 - bits))) >>> 0;
}

/** Rotates by 32 bits. */
function swap(word: Word): void {
  const { low, high } = word;
  word.low = high;
  word.high = low;
}

function xored({ low, high }: Word, otherHigh: number, otherLow: number): Word {
  return { low: (low ^ otherLow) >>> 0, high: (high ^ otherHigh) >>> 0 };
}

/** The little-endian word at `at`; octets beyond the end count as zero. */
function wordAt(bytes: Uint8Array, at: number): Word {
  return { low: halfAt(bytes, at), high: halfAt(bytes, at + 4) };
}

function halfAt(bytes: Uint8Array, at: number): number {
  let half = 0;
  for (let index = 3; index >= 0; index -= 1) half = (half << 8) | (bytes[at + index] ?? 0);
  return half >>> 0;
}

const clientOctets = 8;
const serverOctets = 16;
/** Version 1 and three reserved octets (RFC 9018 section 4). */
const versionOctets = "\u0001\0\0\0";
const ageSecondsMax = 3600;
const aheadSecondsMax = 300;

/** Makes the server's part of a cookie. */
interface CookieServer {
  /** 16 random octets. */
  readonly secret: Uint8Array;
  /** Seconds since 1970. */
  readonly nowSeconds: number;
}

interface ClientCookie {
  /** The data of the option in the response: the client's cookie and a new server cookie. */
  readonly answer: string;
  /** Whether the client sent a server cookie that this server gave to its address within the last hour. */
  readonly isValid: boolean;
}

/**
 * Checks the data of a cookie option (RFC 7873, with the server cookies of RFC 9018). `address` is the
 * client's address as 4 or 16 octets. Throws a WireError if the length is wrong, which is to be answered with
 * FORMERR.
 */
export function checkCookie(data: string, address: string, server: CookieServer): ClientCookie {
  const isWellFormed = data.length === clientOctets || (data.length >= 16 && data.length <= 40);
  if (!isWellFormed) throw new WireError("a cookie has 8 or 16 to 40 octets");
  const client = data.slice(0, clientOctets);
  return {
    answer: client + serverCookie(client, address, server.nowSeconds, server.secret),
    isValid: isOwn(data, address, server),
  };
}

function isOwn(data: string, address: string, { secret, nowSeconds }: CookieServer): boolean {
  if (data.length !== clientOctets + serverOctets) return false;
  const given = data.slice(clientOctets);
  const madeOn = fourOctetsAt(given, versionOctets.length);
  // Serial number arithmetic (RFC 1982).
  const age = (nowSeconds - madeOn) | 0;
  if (age > ageSecondsMax || age < -aheadSecondsMax) return false;
  return given === serverCookie(data.slice(0, clientOctets), address, madeOn, secret);
}

function serverCookie(client: string, address: string, seconds: number, secret: Uint8Array): string {
  const head = versionOctets + fourOctets(seconds);
  const hash = sipHash(secret, toBytes(client + head + address));
  return head + sliceOctets(hash, 0, hash.length);
}
