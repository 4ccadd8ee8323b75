import type { OwnedSet } from "./record-sets.ts";
import type { ZoneView } from "./zone-view.ts";

/** What is answered to a question. */
export interface Answer {
  rcode: number;
  isAuthoritative: boolean;
  readonly answers: OwnedSet[];
  readonly authorities: OwnedSet[];
  readonly additionals: OwnedSet[];
  /** How many of `additionals`, from the first, the answer is not whole without (RFC 9471). */
  additionalsNeeded: number;
  /** The zone that the question is about. */
  zone: ZoneView | undefined;
  /** The name in the zone that made the answer: that of the question, of a wildcard, of a cut, or of the zone. */
  source: string;
  /** Whether the question has this answer until a zone of ours changes. */
  isLasting: boolean;
}
