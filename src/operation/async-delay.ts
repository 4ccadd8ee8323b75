/** Taken by operations that answer after work which the public service does in the background. */
export interface AsyncDelay {
  /** Resolves after the time that such work takes (setting `async_delay`). */
  readonly takeTime: () => Promise<void>;
}
