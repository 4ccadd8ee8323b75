/** Characters of events that may wait for a slow client, which is disconnected above that. */
const waitingMax = 16 * 1024 * 1024;

/** Server-sent events for any number of clients (WHATWG HTML, section 9.2). */
export class EventFeed {
  readonly #followers = new Set<Follower>();
  #isClosed = false;

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  send(event: string, id: number, data: unknown): void {
    const text = `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const follower of this.#followers) follower.push(text);
  }

  /**
   * The events from now on, as text. A comment comes first, so that the client knows that it is connected.
   */
  follow(): AsyncIterable<string> {
    const follower = new Follower((gone) => this.#followers.delete(gone));
    follower.push(":\n\n");
    if (this.#isClosed) follower.end();
    else this.#followers.add(follower);
    return follower;
  }

  /** Ends the streams of all clients, present and future. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.end();
  }
}

/** An iterator over events. A generator could not be ended while it waits. */
class Follower implements AsyncIterableIterator<string> {
  readonly #waiting: string[] = [];
  #length = 0;
  readonly #whenGone: (follower: Follower) => void;
  #isOver = false;
  #resume: (() => void) | undefined;

  constructor(whenGone: (follower: Follower) => void) {
    this.#whenGone = whenGone;
  }

  push(text: string): void {
    if (this.#length + text.length > waitingMax) this.end();
    else {
      this.#waiting.push(text);
      this.#length += text.length;
    }
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#whenGone(this);
    this.#wake();
  }

  async next(): Promise<IteratorResult<string>> {
    if (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    const value = this.#waiting.shift();
    if (value === undefined) return { value, done: true };
    this.#length -= value.length;
    return { value, done: false };
  }

  async return(): Promise<IteratorResult<string>> {
    this.#waiting.length = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    this.#resume?.();
    this.#resume = undefined;
  }
}
