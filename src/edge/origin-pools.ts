import { isIP } from "node:net";
import { rootCertificates } from "node:tls";

import { Pool } from "undici";

import { Refusals } from "./refusals.ts";

/** Where a request is sent. */
export interface OriginTarget {
  readonly scheme: "http" | "https";
  readonly address: string;
  readonly port: number;
  /** The server name in TLS (SNI), which the certificate has to match where it is verified. */
  readonly serverName: string;
  readonly checksCertificate: boolean;
}

interface Used {
  readonly pool: Pool;
  lastUsedMs: number;
}

const sweepMs = 30_000;
const idleMs = 60_000;
/** Shorter than most origins keep idle connections, so that requests rarely meet one that is closing. */
const keepAliveMs = 4_000;
const headerBytesMax = 32 * 1024;

/** Connections to origins, kept for as long as they are used. */
export class OriginPools {
  readonly #connectMs: number;
  readonly #authorities: () => readonly string[];
  readonly #pools = new Map<string, Used>();
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

  poolFor(target: OriginTarget): Pool {
    const { scheme, address, port, serverName, checksCertificate } = target;
    const isSecure = scheme === "https";
    const key = `${scheme} ${address} ${port} ${isSecure ? `${serverName} ${checksCertificate}` : ""}`;
    const known = this.#pools.get(key);
    if (known !== undefined) {
      known.lastUsedMs = performance.now();
      return known.pool;
    }
    const host = isIP(address) === 6 ? `[${address}]` : address;
    const authorities = this.#authorities();
    const pool = new Pool(`${scheme}://${host}:${port}`, {
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: headerBytesMax,
      // A response of any length is passed on; the visitor may end it.
      maxResponseSize: -1,
      connect: {
        timeout: this.#connectMs,
        ...(isSecure && {
          servername: isIP(serverName) === 0 ? serverName : "",
          rejectUnauthorized: checksCertificate,
        }),
        ...(isSecure &&
          checksCertificate &&
          authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
      },
    });
    this.#pools.set(key, { pool, lastUsedMs: performance.now() });
    return pool;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  #closeIdle(): void {
    const usedBefore = performance.now() - idleMs;
    for (const [key, { pool, lastUsedMs }] of this.#pools) {
      const { running, pending, queued } = pool.stats;
      if (lastUsedMs > usedBefore || running + pending + queued > 0) continue;
      this.#pools.delete(key);
      void pool.close();
    }
  }
}
