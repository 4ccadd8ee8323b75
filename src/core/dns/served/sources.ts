import type { RecordSet, OwnedSet } from "../wire/record-data.ts";
import type { ZoneView } from "./zone-view.ts";

/**
 * Addresses that other servers are authoritative for; `unknown` if they have not been looked up yet, `failed`
 * if the lookup failed.
 */
export type OutsideAddresses = RecordSet | "unknown" | "failed";

export interface Sources {
  /**
   * Our zone that most closely encloses a folded name. With `isAbove`, a zone with that very name is skipped:
   * DS records are in the parent zone.
   */
  readonly zoneOf: (name: string, isAbove: boolean) => ZoneView | undefined;
  /** The A or AAAA records of a folded name outside of our zones; an empty set if it has none. */
  readonly outside: (name: string, type: number) => OutsideAddresses;
  /** Whether the answer includes DNSSEC records (RFC 4035 section 3.1). */
  readonly isSecure?: boolean;
  /** Called with a description of each step of the resolution. */
  readonly explain?: ((step: string) => void) | undefined;
}

/** Addresses that have to be looked up before the question can be answered. */
export interface Wanted {
  readonly name: string;
  readonly type: number;
}

/** The most CNAMEs that are followed, and the most servers whose addresses are added. */
export const chainMax = 16;

/** The sections of an answer, before they are written. */
export interface Answer {
  rcode: number;
  isAuthoritative: boolean;
  readonly answers: OwnedSet[];
  readonly authorities: OwnedSet[];
  readonly additionals: OwnedSet[];
  /** The number of `additionals`, from the first, that are required (RFC 9471). */
  additionalsNeeded: number;
  zone: ZoneView | undefined;
  /**
   * The name in the zone that the answer came from: the name asked for, a wildcard, a cut, or the zone
   * itself.
   */
  source: string;
  /** Whether the answer can be cached until one of our zones changes. */
  isLasting: boolean;
}
