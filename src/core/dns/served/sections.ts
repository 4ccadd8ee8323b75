import type { OwnedSet } from "./record-sets.ts";
import type { ZoneView } from "./zone-view.ts";

/** The sections of an answer, before they are written. */
export interface Answer {
  rcode: number;
  isAuthoritative: boolean;
  readonly answers: OwnedSet[];
  readonly authorities: OwnedSet[];
  readonly additionals: OwnedSet[];
  /** How many of `additionals`, from the first, are required (RFC 9471). */
  additionalsNeeded: number;
  /** The zone of the question. */
  zone: ZoneView | undefined;
  /**
   * The name in the zone that the answer came from: the name asked for, a wildcard, a cut, or the zone
   * itself.
   */
  source: string;
  /** Whether the answer can be cached until one of our zones changes. */
  isLasting: boolean;
}
