import type { Answer } from "../api/send.ts";

/** Rows that are there already, as a table takes what it asked for. */
export function rowsAtHand<Row>(rows: readonly Row[]): {
  readonly data: Answer<readonly Row[]>;
  readonly error: null;
  readonly isPlaceholderData: false;
  readonly refetch: () => void;
} {
  return { data: { result: rows, messages: [] }, error: null, isPlaceholderData: false, refetch: () => {} };
}
