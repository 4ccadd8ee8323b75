/** An old setting and what it becomes. */
export interface Consequence {
  readonly setting: string;
  /** Undefined if it is lost. */
  readonly becomes: string | undefined;
}
