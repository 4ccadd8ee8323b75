import { hash, randomBytes } from "node:crypto";

import { LruMap } from "../../core/lru-map.ts";
import type { ChallengedAct } from "../../core/rulesets/acts.ts";
import type { Visited } from "../visited.ts";
import { askerOf, isSameAsker, type Asker } from "./clearance.ts";
import type { Seals } from "./seals.ts";

/** A proof of work for one visitor: a number with which the SHA-256 of `<seed>.<number>` begins with so many zero bits. */
export interface Puzzle {
  readonly seed: string;
  readonly bits: number;
  /** What the answer has to bring back. */
  readonly sealed: string;
}

/** What an answer was about. */
export interface Solved {
  readonly act: ChallengedAct;
  /** Of the request that was challenged. */
  readonly ray: string;
}

interface Posed extends Asker, Solved {
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const purpose = "puzzle";
const lifetimeMs = 300_000;
/** About 130,000 attempts: a fraction of a second of a browser's time. */
const bits = 17;
const answersKept = 100_000;

/** Poses puzzles, and takes each answer once. */
export class Puzzles {
  readonly #seals: Seals;
  /** The seeds of puzzles that were solved here, until they have expired or too many others came. */
  readonly #solved = new LruMap<string, true>(answersKept);

  constructor(seals: Seals) {
    this.#seals = seals;
  }

  pose(visited: Visited, act: ChallengedAct, nowMs: number): Puzzle {
    const seed = randomBytes(16).toString("hex");
    const { ray } = visited;
    const posed: Posed = { ...askerOf(visited), act, ray, seed, expiresAt: nowMs + lifetimeMs };
    return { seed, bits, sealed: this.#seals.seal(posed, purpose) };
  }

  /** Undefined for an answer that is wrong, late, not the first one, or of another visitor than the one that was asked. */
  take(visited: Visited, sealed: string, answer: string, nowMs: number): Solved | undefined {
    const posed = this.#seals.open(sealed, purpose) as Posed | undefined;
    if (posed === undefined || !isSameAsker(posed, askerOf(visited)) || nowMs >= posed.expiresAt)
      return undefined;
    if (!/^\d{1,15}$/.test(answer) || !isProof(posed.seed, answer)) return undefined;
    if (this.#solved.get(posed.seed) === true) return undefined;
    this.#solved.set(posed.seed, true);
    return { act: posed.act, ray: posed.ray };
  }
}

function isProof(seed: string, answer: string): boolean {
  return Math.clz32(hash("sha256", `${seed}.${answer}`, "buffer").readUInt32BE()) >= bits;
}
