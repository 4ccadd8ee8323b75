/** What operations take that answer once work is done which a public service does in the background. */
export interface AsyncDelay {
  /** Resolves after the time that such work is to take (setting `async_delay`). */
  readonly takeTime: () => Promise<void>;
}
