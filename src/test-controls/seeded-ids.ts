import { hash } from "node:crypto";

/**
 * Ids that depend only on a seed and on the number of ids made before. Each is greater than the one before.
 */
export class SeededIds {
  readonly #seed: string;
  count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Makes an id of 32 hexadecimal characters. */
  readonly newId = (): string => {
    this.count += 1;
    const order = this.count.toString(16).padStart(12, "0");
    return order + hash("sha256", `${this.#seed} ${this.count}`).slice(0, 20);
  };

  /** Makes a UUID, version 7 (RFC 9562): the time, then the count. */
  readonly newLogId = (now: Date): string => {
    this.count += 1;
    const time = now.getTime().toString(16).padStart(12, "0");
    const order = this.count.toString(16).padStart(15, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${order.slice(0, 3)}-${order.slice(3)}`;
  };
}
