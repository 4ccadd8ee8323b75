import { isIP } from "node:net";
import { rootCertificates } from "node:tls";

import { buildConnector, Pool } from "undici";

import { withoutContinues } from "./interim-responses.ts";
import { Refusals } from "./refusals.ts";

/** Where a request is sent. */
export interface OriginTarget {
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

const sweepMs = 60_000;
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
    const { address, port, tls } = target;
    const key = tls ? `${address} ${port} ${tls.serverName} ${tls.checksCertificate}` : `${address} ${port}`;
    let used = this.#pools.get(key);
    if (used === undefined) {
      used = { pool: this.#open(target), isUsed: true };
      this.#pools.set(key, used);
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
      connect: failingOnReset(
        withoutContinues(tls ? this.#secured(tls) : buildConnector({ timeout: this.#connectMs })),
      ),
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
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  /** Closes the pools that no request has used since the last time. */
  #closeIdle(): void {
    for (const [key, used] of this.#pools) {
      const { running, pending, queued } = used.pool.stats;
      if (used.isUsed || running + pending + queued > 0) used.isUsed = false;
      else {
        this.#pools.delete(key);
        void used.pool.close();
      }
    }
  }
}

/**
 * Connections whose reset fails the answer that is under way. undici takes the code of a reset for the end of an answer
 * without a length, which is complete only where the connection ended without an error (RFC 9112 section 8).
 */
function failingOnReset(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      result[1]?.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNRESET") error.code = "UND_ERR_SOCKET";
      });
      callback(...result);
    });
}
