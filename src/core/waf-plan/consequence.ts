/** One old setting and what becomes of it. */
export interface Consequence {
  readonly setting: string;
  /** What it becomes; undefined if it is lost. */
  readonly becomes: string | undefined;
}
