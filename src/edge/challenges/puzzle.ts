import { hash, randomBytes } from "node:crypto";

import { FairMap } from "../../core/fair-map.ts";
import type { ChallengeMatch } from "../../core/judging/rule-matches.ts";
import { clientNetwork } from "../../core/net/client-network.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Seals } from "./seals.ts";

/** The visitor who passed a challenge, and where: it counts neither for another visitor nor for another host. */
export interface Asker {
  readonly zoneId: string;
  readonly host: string;
  /** A digest of its network and user agent. */
  readonly visitor: string;
}

/**
 * A proof of work for one visitor: a number with which the SHA-256 of `<seed>.<number>` begins with so many zero
 * bits.
 */
export interface Puzzle {
  readonly seed: string;
  readonly bits: number;
  /** The encrypted puzzle, which the answer has to return. */
  readonly sealed: string;
}

/** The match of a rule for which a puzzle is posed. */
interface Challenged {
  readonly match: ChallengeMatch;
  readonly ray: string;
}

/** The challenge that an answer belongs to, and whether the answer is correct. */
export interface Answered extends Challenged {
  readonly isSolved: boolean;
}

interface Posed extends Asker, Challenged {
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** An IPv6 address counts as its network: the visitor may choose any address in it. */
export function askerOf({ visitor, zone, address }: Exchange): Asker {
  const userAgent = visitor.headers.find(([name]) => name === "user-agent")?.[1] ?? "";
  const mark = hash("sha256", `${clientNetwork(address)} ${userAgent}`, "base64url");
  return { zoneId: zone.id, host: visitor.hostname, visitor: mark };
}

export function isSameAsker(one: Asker, other: Asker): boolean {
  return one.zoneId === other.zoneId && one.host === other.host && one.visitor === other.visitor;
}

const purpose = "puzzle";
const lifetimeMs = 300_000;
/** About 130,000 attempts: a fraction of a second of a browser's time. */
const bits = 17;
const answersKept = 100_000;

/** Takes the seed of a puzzle that was solved, with those who share the memory for it: whether it is the first time. */
export type TakeSeed = (seed: string, owners: readonly string[]) => boolean | Promise<boolean>;

/**
 * Takes each seed once. Above the maximum of those that are remembered the oldest are dropped of an account, and a
 * client of it, with many.
 */
export function takeSeedsOnce(): (seed: string, owners: readonly string[]) => boolean {
  const solved = new FairMap<string, true>({ weightMax: answersKept });
  return (seed, owners) => {
    if (solved.get(seed) === true) return false;
    solved.set(seed, true, owners);
    return true;
  };
}

/** Poses puzzles, and accepts each answer once. */
export class Puzzles {
  readonly #seals: Seals;
  readonly #takeSeed: TakeSeed;

  constructor(seals: Seals, takeSeed: TakeSeed) {
    this.#seals = seals;
    this.#takeSeed = takeSeed;
  }

  pose(exchange: Exchange, match: ChallengeMatch, nowMs: number): Puzzle {
    const seed = randomBytes(16).toString("hex");
    const { ray } = exchange;
    const posed: Posed = { ...askerOf(exchange), match, ray, seed, expiresAt: nowMs + lifetimeMs };
    return { seed, bits, sealed: this.#seals.seal(posed, purpose) };
  }

  /** Undefined where `sealed` is no puzzle of the zone. */
  async take(
    exchange: Exchange,
    sealed: string,
    answer: string,
    nowMs: number,
  ): Promise<Answered | undefined> {
    const posed = this.#seals.open(sealed, purpose) as Posed | undefined;
    if (posed?.zoneId !== exchange.zone.id) return undefined;
    const { match, ray } = posed;
    return { match, ray, isSolved: await this.#isSolved(exchange, posed, answer, nowMs) };
  }

  /** Whether an answer is correct, in time, the first one, and from the visitor that got the puzzle. */
  async #isSolved(exchange: Exchange, posed: Posed, answer: string, nowMs: number): Promise<boolean> {
    if (!isSameAsker(posed, askerOf(exchange)) || nowMs >= posed.expiresAt) return false;
    if (!/^\d{1,15}$/.test(answer) || !isProof(posed.seed, answer)) return false;
    return this.#takeSeed(posed.seed, exchange.owners);
  }
}

function isProof(seed: string, answer: string): boolean {
  return Math.clz32(hash("sha256", `${seed}.${answer}`, "buffer").readUInt32BE()) >= bits;
}
