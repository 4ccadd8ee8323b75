import type { ServedName } from "./record-sets.ts";

/** What a name has of its zone. */
export interface NodeContent extends ServedName {
  /** Whether it lies below a name that is delegated: it is nothing but glue, if anything. */
  readonly isBelowCut: boolean;
}

/** A name of a zone that exists: it has records, or one below it has (RFC 4592 section 2.2.2). */
export interface Node extends NodeContent {
  /** How many names right below it exist. */
  readonly children: number;
  /** Larger than that of every name that the zone had when this one came. */
  readonly place: number;
}
