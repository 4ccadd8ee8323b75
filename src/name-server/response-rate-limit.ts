import { FixedWindowLimiter } from "../core/fixed-window-limiter.ts";
import { addressNetwork } from "./client-address.ts";

const windowMs = 1_000;
/** One in so many responses above the limit is sent, truncated: who really asks comes back over TCP. */
const slip = 2;

/**
 * Limits equal responses over UDP to one network (/24 of IPv4, /56 of IPv6), so that a forged source cannot make the server
 * flood somebody else. Responses are equal that have one code and were made by one name. Memory is bounded.
 */
export class ResponseRateLimit {
  readonly #limiter: FixedWindowLimiter;
  #limited = 0;

  /** `perSecond` such responses are sent. */
  constructor(perSecond: number) {
    this.#limiter = new FixedWindowLimiter({ quota: perSecond, windowMs });
  }

  /** What becomes of a response to `address`. */
  judge(address: string, response: string, nowMs: number): "send" | "truncate" | "drop" {
    if (!this.#limiter.count(`${addressNetwork(address)} ${response}`, nowMs).isExceeded) return "send";
    this.#limited += 1;
    return this.#limited % slip === 0 ? "truncate" : "drop";
  }
}
