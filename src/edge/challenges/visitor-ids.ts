import { randomBytes } from "node:crypto";

import { FixedWindowLimiter, type RateLimit } from "../../core/fixed-window-limiter.ts";
import { clientNetwork } from "../../core/net/client-network.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import type { Exchange } from "../request/exchange.ts";
import { sameSiteOf, Seals } from "./seals.ts";
import { cookiesOf } from "../request/visitor-request.ts";

/** An id as the visitor's cookie carries it, encrypted. It counts neither in another zone nor in another network. */
interface SealedId {
  readonly zoneId: string;
  readonly network: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A visitor as rate limits tell it from others behind the same address. */
export interface KnownVisitor {
  /** Undefined for a visitor that shows no cookie: it counts as its address. */
  readonly id: string | undefined;
  /**
   * The headers that give the visitor an id. For a request that rules let pass: others must not earn what counts
   * anew.
   */
  readonly cookies: () => readonly Header[];
}

const cookieName = "_cfuvid";
const purpose = "visitor";
const lifetimeMs = 3_600_000;
/** Ids that one network is given in one zone: with each of them, a client is counted apart. */
const idsPerNetwork: RateLimit = { quota: 100, windowMs: 60_000 };
const networksMax = 20_000;

/** Tells visitors behind one address from each other, in zones with a rate limit that asks for it. */
export class VisitorIds {
  readonly #seals: Seals;
  readonly #now: () => Date;
  readonly #given = new FixedWindowLimiter(idsPerNetwork, networksMax);

  /** `keys` are of 32 bytes: the first encrypts cookies, any of them decrypts. */
  constructor(keys: () => readonly Buffer[], now: () => Date) {
    this.#seals = new Seals(keys);
    this.#now = now;
  }

  of(exchange: Exchange): KnownVisitor {
    const { zone, address, visitor } = exchange;
    const nowMs = this.#now().getTime();
    const network = clientNetwork(address);
    for (const text of cookiesOf(visitor, cookieName)) {
      const known = this.#seals.open(text, purpose) as SealedId | undefined;
      if (known?.zoneId === zone.id && known.network === network && nowMs < known.expiresAt)
        return { id: known.id, cookies: () => [] };
    }
    return { id: undefined, cookies: () => this.#give(exchange, network, nowMs) };
  }

  #give({ zone, visitor }: Exchange, network: string, nowMs: number): readonly Header[] {
    if (this.#given.count(`${zone.id} ${network}`, nowMs).isExceeded) return [];
    const id = randomBytes(16).toString("hex");
    const made: SealedId = { zoneId: zone.id, network, id, expiresAt: nowMs + lifetimeMs };
    const attributes = `Path=/; Domain=${zone.name}; HttpOnly; ${sameSiteOf(visitor)}`;
    return [["set-cookie", `${cookieName}=${this.#seals.seal(made, purpose)}; ${attributes}`]];
  }
}
