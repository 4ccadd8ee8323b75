import { isIP } from "node:net";
import { rootCertificates } from "node:tls";

import { buildConnector, Pool } from "undici";

import type { EdgeZone } from "./edge-zone.ts";
import { forEarlyAnswers } from "./origin-connection.ts";
import { Refusals } from "./refusals.ts";
import { headerBytesMax } from "./visitor-request.ts";

/** Where a request is sent. */
export interface OriginTarget {
  /** Whose request it is: zones share no connections, so that no visitor gets what an origin said to those of another zone. */
  readonly zone: Pick<EdgeZone, "id" | "accountId">;
  readonly address: string;
  readonly port: number;
  /** Undefined for plain HTTP. */
  readonly tls: OriginTls | undefined;
}

interface OriginTls {
  /** The server name (SNI), which the certificate has to match where it is verified. */
  readonly serverName: string;
  readonly checksCertificate: boolean;
}

interface Used {
  readonly pool: Pool;
  /** Whether a request used it since the last sweep. */
  isUsed: boolean;
}

/** The pools of an account, the one that was used longest ago first. */
type PoolsOfAccount = Map<string, Used>;

/** A pool with one idle connection by TLS takes some 30 KiB. */
export const poolLimits = { ofAccount: 256, ofAll: 2_048 } as const;

const sweepMs = 60_000;
/** Shorter than most origins keep idle connections, so that requests rarely meet one that is closing. */
const keepAliveMs = 4_000;

/**
 * Connections to origins, kept for as long as they are used. Above the share of an account, or the number of all, the pool is
 * closed that an account used longest ago: its own, or that of the account with the most. Requests on it are finished first.
 */
export class OriginPools {
  readonly #connectMs: number;
  readonly #authorities: () => readonly string[];
  readonly #accounts = new Map<string, PoolsOfAccount>();
  #size = 0;
  readonly #sweep: NodeJS.Timeout;
  /** Targets that accepted no connection lately. */
  readonly refusals: Refusals;

  /**
   * `authorities` are certificates (PEM) that are trusted besides the public ones, where the origin's is
   * verified.
   */
  constructor(connectMs: number, authorities: () => readonly string[], nowMs: () => number) {
    this.refusals = new Refusals(nowMs);
    this.#connectMs = connectMs;
    this.#authorities = authorities;
    this.#sweep = setInterval(() => this.#closeIdle(), sweepMs).unref();
  }

  get size(): number {
    return this.#size;
  }

  poolFor(target: OriginTarget): Pool {
    const { zone, address, port, tls } = target;
    const place = `${zone.id} ${address} ${port}`;
    const key = tls ? `${place} ${tls.serverName} ${tls.checksCertificate}` : place;
    const pools = this.#accounts.get(zone.accountId) ?? new Map<string, Used>();
    const known = pools.get(key);
    if (known === undefined) this.#makeRoom(pools);
    // Sets the pool again, as the one that was used last.
    pools.delete(key);
    const used = known ?? { pool: this.#open(target), isUsed: true };
    used.isUsed = true;
    pools.set(key, used);
    if (known === undefined) this.#size += 1;
    this.#accounts.set(zone.accountId, pools);
    return used.pool;
  }

  #makeRoom(own: PoolsOfAccount): void {
    if (own.size >= poolLimits.ofAccount) this.#closeOldest(own);
    else if (this.#size >= poolLimits.ofAll) {
      let most = own;
      for (const pools of this.#accounts.values()) if (pools.size > most.size) most = pools;
      this.#closeOldest(most);
    }
  }

  #closeOldest(pools: PoolsOfAccount): void {
    const [oldest] = pools;
    if (oldest === undefined) return;
    pools.delete(oldest[0]);
    this.#size -= 1;
    void oldest[1].pool.close();
  }

  #open({ address, port, tls }: OriginTarget): Pool {
    const host = isIP(address) === 6 ? `[${address}]` : address;
    return new Pool(`${tls ? "https" : "http"}://${host}:${port}`, {
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: headerBytesMax,
      // A response of any length is passed on; the visitor may end it.
      maxResponseSize: -1,
      connect: forEarlyAnswers(tls ? this.#secured(tls) : buildConnector({ timeout: this.#connectMs })),
    });
  }

  #secured({ serverName, checksCertificate }: OriginTls): buildConnector.connector {
    const authorities = this.#authorities();
    const connect = buildConnector({
      timeout: this.#connectMs,
      // Few origins take a WebSocket in HTTP/2 (RFC 8441).
      allowH2: false,
      rejectUnauthorized: checksCertificate,
      ...(checksCertificate && authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
    });
    const servername = isIP(serverName) === 0 ? serverName : "";
    // undici asks for the name in the `Host` header.
    return (options, callback) => connect({ ...options, servername }, callback);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const pools = Array.from(this.#accounts.values(), (ofAccount) => Array.from(ofAccount.values())).flat();
    this.#accounts.clear();
    this.#size = 0;
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  /** Closes the pools that no request has used since the last time. */
  #closeIdle(): void {
    for (const [accountId, pools] of this.#accounts) {
      for (const [key, used] of pools) {
        const { running, pending, queued } = used.pool.stats;
        if (used.isUsed || running + pending + queued > 0) used.isUsed = false;
        else {
          pools.delete(key);
          this.#size -= 1;
          void used.pool.close();
        }
      }
      if (pools.size === 0) this.#accounts.delete(accountId);
    }
  }
}
