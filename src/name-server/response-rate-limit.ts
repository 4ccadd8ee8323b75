import { FixedWindowLimiter } from "../core/fixed-window-limiter.ts";
import { addressNetwork } from "./client-address.ts";

const windowMs = 1_000;
/** One in this many responses above the limit is sent truncated, so that a client that really asked retries over TCP. */
const slip = 2;

/**
 * Limits equal responses over UDP to one network (/24 of IPv4, /56 of IPv6), so that nobody can flood that network through
 * this server with forged source addresses. Responses are equal if they have the same code and come from the same name in a
 * zone. Memory is bounded.
 */
export class ResponseRateLimit {
  readonly #limiter: FixedWindowLimiter;
  #limited = 0;

  /** `perSecond`: how many equal responses one network gets in a second. */
  constructor(perSecond: number) {
    this.#limiter = new FixedWindowLimiter({ quota: perSecond, windowMs });
  }

  /** Counts a response to `address`, and decides how to send it. `response` is equal for equal responses. */
  judge(address: string, response: string, nowMs: number): "send" | "truncate" | "drop" {
    if (!this.#limiter.count(`${addressNetwork(address)} ${response}`, nowMs).isExceeded) return "send";
    this.#limited += 1;
    return this.#limited % slip === 0 ? "truncate" : "drop";
  }
}
