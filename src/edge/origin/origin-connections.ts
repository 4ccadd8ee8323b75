import { subscribe } from "node:diagnostics_channel";
import { isIP, type Socket } from "node:net";
import { rootCertificates } from "node:tls";

import { buildConnector, Pool } from "undici";

import { FairMap } from "../../core/fair-map.ts";
import { LruMap } from "../../core/lru-map.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";
import { headerBytesMax } from "../request/visitor-request.ts";

/** The place to which a request is sent. */
export interface OriginTarget {
  /**
   * Zone of the request: zones share no connections, so that no visitor gets what an origin said to those of
   * another zone.
   */
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
 * Connections to origins, kept for as long as they are used. Accounts have a share of the pools, and their zones
 * have one of that. A pool that has to make room is closed once the requests on it are finished.
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

/** For each connection to an origin, what to call when a request has been sent on it. */
const onRequest = new WeakMap<Socket, () => void>();

subscribe("undici:client:sendHeaders", (message) => {
  onRequest.get((message as { readonly socket: Socket }).socket)?.();
});

/**
 * Connections on which undici gets the answer of an origin whole, in two cases in which it would not: interim
 * responses may come in any order (RFC 9110 section 15.2), and an origin may answer and close before it has read
 * the body of the request (RFC 9112 section 9.6).
 */
function forEarlyAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] === null) adapt(result[1]);
      callback(...result);
    });
}

function adapt(socket: Socket): void {
  const answer = new AnswerHead();
  onRequest.set(socket, () => answer.expect());
  const outlives = outliveWrites(socket);
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const destroy = socket.destroy.bind(socket);
  /** The reset of the connection, while octets that came before it have not been read. */
  let reset: NodeJS.ErrnoException | undefined;

  const end = (error: NodeJS.ErrnoException): void => {
    // The origin said all that it had to say: it closed before it had read the request.
    if (outlives.hasFailed() || answer.status >= 400) socket.push(null);
    else {
      // undici takes the code of a reset for the end of an answer without a length, which is complete only where the
      // connection ended without an error (RFC 9112 section 8).
      error.code = "UND_ERR_SOCKET";
      destroy(error);
    }
  };
  socket.destroy = (error?: Error) => {
    if (!isReset(error)) return destroy(error);
    reset = error;
    if (socket.readableLength === 0) end(error);
    return socket;
  };
  socket.read = (size?: number) => {
    try {
      for (let part = read(size); part !== null; part = read(size)) {
        const passed = answer.pass(part);
        if (passed.length > 0) return passed;
      }
    } catch (error) {
      destroy(error as Error);
    }
    if (reset !== undefined && !socket.destroyed && !socket.readableEnded) end(reset);
    return null;
  };
}

const isReset = (error: NodeJS.ErrnoException | undefined): error is NodeJS.ErrnoException =>
  error?.code === "ECONNRESET";

/* oxlint-disable no-underscore-dangle -- by these names Node.js has streams implemented. */

/**
 * Keeps a connection open when the other side takes no more, so that its answer is read; what is written from
 * then on is dropped.
 */
function outliveWrites(socket: Socket): { readonly hasFailed: () => boolean } {
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  type Done = Parameters<typeof write>[2];
  let hasFailed = false;
  const outlived =
    (done: Done): Done =>
    (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      if (code !== "EPIPE" && code !== "ECONNRESET") return done(error);
      hasFailed = true;
      done();
    };
  socket._write = (chunk, encoding, done) => {
    if (hasFailed) done();
    else write(chunk, encoding, outlived(done));
  };
  if (writeAll !== undefined)
    socket._writev = (chunks, done) => {
      if (hasFailed) done();
      else writeAll(chunks, outlived(done));
    };
  return { hasFailed: () => hasFailed };
}

/* oxlint-enable no-underscore-dangle */

const empty: Buffer = Buffer.alloc(0);
const headEnd = "\r\n\r\n";
/** `100 Continue` among them, which an origin may send unasked, and undici takes for an error. */
const interimForm = /^HTTP\/1\.\d 1(?!01)\d\d[ \r]/;
const interimStart = "HTTP/1.1 1";
const statusLineLength = "HTTP/1.1 200 ".length;
/** Tells undici that the origin is at work, so that its time begins anew. */
const atWork = Buffer.from("HTTP/1.1 102 Processing\r\n\r\n");
/** Octets of `100 Continue` responses that an origin may send before its response. */
const continueBytesMax = 8_192;
/** Other interim responses (1xx). */
const interimMax = 32;

/** Whether the beginning of a status line is that of an interim response, or too short to tell. */
function mayBeInterim(line: string): boolean {
  return line.length === statusLineLength
    ? interimForm.test(line)
    : interimStart.startsWith(line.replace("/1.0", "/1.1").slice(0, interimStart.length));
}

/** Drops the interim responses ahead of an answer. */
class AnswerHead {
  #isDue = false;
  #start = empty;
  #continueBytes = 0;
  #interim = 0;
  /** 0 until the answer has begun. */
  status = 0;

  /** A request has been sent. */
  expect(): void {
    this.#isDue = true;
    this.#start = empty;
    this.#continueBytes = 0;
    this.#interim = 0;
    this.status = 0;
  }

  /** Returns the octets that undici may see. Throws where there are too many interim responses. */
  pass(part: Buffer): Buffer {
    if (!this.#isDue) return part;
    let rest = this.#start.length === 0 ? part : Buffer.concat([this.#start, part]);
    let hasDropped = false;
    for (;;) {
      const line = rest.toString("latin1", 0, statusLineLength);
      if (!mayBeInterim(line)) break;
      const end = rest.indexOf(headEnd, 0, "latin1");
      if (end === -1 && rest.length <= headerBytesMax) {
        this.#start = rest;
        return hasDropped ? atWork : empty;
      }
      const head = rest.subarray(0, end + headEnd.length);
      // A line that ends in another way may be the end of the head for others.
      if (end === -1 || /[^\r]\n/.test(head.toString("latin1"))) break;
      this.#count(line, head.length);
      rest = rest.subarray(head.length);
      hasDropped = true;
    }
    this.#isDue = false;
    this.#start = empty;
    this.status = Number(rest.toString("latin1", 9, 12)) || 0;
    return rest;
  }

  #count(line: string, bytes: number): void {
    if (line.startsWith("100", 9)) this.#continueBytes += bytes;
    else this.#interim += 1;
    if (this.#continueBytes > continueBytesMax || this.#interim > interimMax)
      throw new Error("too many interim responses");
  }
}
