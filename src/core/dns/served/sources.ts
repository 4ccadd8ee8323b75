import type { RecordSet } from "./record-sets.ts";
import type { ZoneView } from "./zone-view.ts";

/** Addresses outside of our zones; `unknown` where nobody has asked for them yet, `failed` where there was no answer. */
export type OutsideAddresses = RecordSet | "unknown" | "failed";

/** What answers are made of. */
export interface Sources {
  /**
   * The zone of ours that most closely encloses a folded name. With `isAbove`, not one that begins at the name: where the
   * DS records of a zone are.
   */
  readonly zoneOf: (name: string, isAbove: boolean) => ZoneView | undefined;
  /** A or AAAA records of a folded name that no zone of ours answers for; none is a set without records. */
  readonly outside: (name: string, type: number) => OutsideAddresses;
  /** Whether signatures and proofs of what does not exist are answered too (RFC 4035 section 3.1). */
  readonly isSecure?: boolean;
  /** Is told each step to an answer. */
  readonly explain?: ((step: string) => void) | undefined;
}

/** Addresses that have to be looked up before the question can be answered. */
export interface Wanted {
  readonly name: string;
  readonly type: number;
}

/** As many CNAMEs are followed, and as many servers' addresses added. */
export const chainMax = 16;
