import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  readonly requests: number;
  /** The n-th request as it goes over the wire. */
  readonly request: (n: number) => string | Buffer;
  /** Keep-alive connections, 32 unless said otherwise. */
  readonly connections?: number;
}

export interface LoadResult {
  /** Answers that were not 2xx. */
  readonly refused: number;
  /** The time of all requests, in milliseconds. */
  readonly elapsedMs: number;
  /** The time of each request, in milliseconds. */
  readonly latenciesMs: readonly number[];
}

const connectionsDefault = 32;
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Sends requests on keep-alive connections, each of which waits for its answer before it sends the next
 * one. It does as little as a client can, as it shares the machine with the server that is measured.
 */
export async function sendRequests({ port, requests, request, ...load }: Load): Promise<LoadResult> {
  const { connections = connectionsDefault } = load;
  const latenciesMs: number[] = [];
  let sent = 0;
  let refused = 0;
  const run = async (): Promise<void> => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    await new Promise<void>((resolve, reject) => {
      let sentAtMs = 0;
      const next = (): void => {
        sentAtMs = performance.now();
        if (sent < requests) socket.write(request(sent++));
        else resolve();
      };
      onEachAnswer(socket, (status) => {
        latenciesMs.push(performance.now() - sentAtMs);
        if (status < 200 || status > 299) refused += 1;
        next();
      });
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("the server closed a connection")));
      next();
    });
    socket.destroy();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, run));
  return { refused, elapsedMs: performance.now() - began, latenciesMs };
}

/** Calls `onAnswer` with the status of each answer once its last byte is here. One answer at a time. */
function onEachAnswer(socket: Socket, onAnswer: (status: number) => void): void {
  let received: Buffer | undefined;
  socket.on("data", (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(headEnd);
    if (end === -1) return;
    const head = received.toString("latin1", 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`an answer without content-length: ${head}`);
    if (received.length < end + headEnd.length + length) return;
    received = undefined;
    onAnswer(Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)));
  });
}

/** A request on the wire. */
export function wireRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== "") {
    lines.push(`content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`);
  }
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("")}\r\n${body}`;
}
