import type { ServedName } from "./record-sets.ts";

/** The record sets of a name. */
export interface NodeContent extends ServedName {
  /** Whether it lies below a delegation: any records are glue. */
  readonly isBelowCut: boolean;
}

/** An existing name of a zone: one with records, or an empty non-terminal (RFC 4592 section 2.2.2). */
export interface Node extends NodeContent {
  /** The number of its direct children that exist. */
  readonly children: number;
  /** Its position in the order of insertion: larger than that of every name added before. */
  readonly place: number;
}
