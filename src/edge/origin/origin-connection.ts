import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

import type { buildConnector } from "undici";

import { headerBytesMax } from "../request/visitor-request.ts";

/** For each connection to an origin, what to call when a request has been sent on it. */
const onRequest = new WeakMap<Socket, () => void>();

subscribe("undici:client:sendHeaders", (message) => {
  onRequest.get((message as { readonly socket: Socket }).socket)?.();
});

/**
 * Connections on which undici gets the answer of an origin whole, in two cases in which it would not: interim responses may
 * come in any order (RFC 9110 section 15.2), and an origin may answer and close before it has read the body of the request
 * (RFC 9112 section 9.6).
 */
export function forEarlyAnswers(connect: buildConnector.connector): buildConnector.connector {
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
    // What the origin sent is all that it had to say: it closed before it had read the request.
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
 * Keeps a connection open when the other side takes no more, so that its answer is read; what is written from then on is
 * dropped.
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

  /** What undici may see of what came. Throws where there are too many interim responses. */
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
