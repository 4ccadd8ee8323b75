import { isIP } from "node:net";
import { rootCertificates } from "node:tls";

import { buildConnector, Pool } from "undici";

import { FairMap } from "../../core/fair-map.ts";
import { LruMap } from "../../core/lru-map.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";
import { forEarlyAnswers } from "./origin-connection.ts";
import { headerBytesMax } from "../request/visitor-request.ts";

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

/** A pool with one idle connection by TLS takes some 30 KiB. */
export const poolsMax = 2_048;

const sweepMs = 60_000;
/** Shorter than most origins keep idle connections, so that requests rarely meet one that is closing. */
const keepAliveMs = 4_000;

/**
 * Connections to origins, kept for as long as they are used. Accounts have a share of the pools, and their zones have one of
 * that. A pool that has to make room is closed once the requests on it are finished.
 */
export class OriginPools {
  readonly #connectMs: number;
  readonly #authorities: () => readonly string[];
  readonly #pools = new FairMap<string, Used>({
    weightMax: poolsMax,
    onDrop: ({ pool }) => void pool.close(),
  });
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
    return this.#pools.size;
  }

  poolFor(target: OriginTarget): Pool {
    const { zone, address, port, tls } = target;
    const place = `${zone.accountId} ${zone.id} ${address} ${port}`;
    const key = tls ? `${place} ${tls.serverName} ${tls.checksCertificate}` : place;
    let used = this.#pools.get(key);
    if (used === undefined) {
      used = { pool: this.#open(target), isUsed: true };
      this.#pools.set(key, used, [zone.accountId, zone.id]);
    }
    used.isUsed = true;
    return used.pool;
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
    const all = Array.from(this.#pools, ([, { pool }]) => pool);
    this.#pools.clear();
    await Promise.all(all.map((pool) => pool.destroy()));
  }

  /** Closes the pools that no request has used since the last time. */
  #closeIdle(): void {
    for (const [key, used] of this.#pools) {
      const { running, pending, queued } = used.pool.stats;
      if (used.isUsed || running + pending + queued > 0) used.isUsed = false;
      else void this.#pools.delete(key)?.pool.close();
    }
  }
}

const refusedMs = 10_000;
const targetsMax = 10_000;

interface Target {
  readonly address: string;
  readonly port: number;
}

/** Remembers for a while which targets accepted no connection, so that not every request tries them first. */
export class Refusals {
  readonly #nowMs: () => number;
  readonly #until = new LruMap<string, number>(targetsMax);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(target: Target): void {
    this.#until.set(keyOf(target), this.#nowMs() + refusedMs);
  }

  /** The same targets, with those that accepted no connection at the end. */
  behind<T extends Target>(targets: readonly T[]): readonly T[] {
    if (targets.length < 2 || this.#until.size === 0) return targets;
    const now = this.#nowMs();
    const { taken = [], refused = [] } = Object.groupBy(targets, (target) =>
      (this.#until.get(keyOf(target)) ?? 0) > now ? "refused" : "taken",
    );
    return [...taken, ...refused];
  }
}

const keyOf = ({ address, port }: Target): string => `${address} ${port}`;
