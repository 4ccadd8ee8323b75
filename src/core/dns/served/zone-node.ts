import type { FlattenedCname, RecordSet } from "./record-sets.ts";

/** A name of a zone that exists: it has records, or one below it has (RFC 4592 section 2.2.2). */
export interface Node {
  sets: readonly RecordSet[];
  flattened: FlattenedCname | undefined;
  /** How many names right below it exist. */
  children: number;
  /** Larger than that of every name that the zone had when this one came. */
  readonly place: number;
}
