import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  readonly requests: number;
  /** The n-th request as it goes over the wire. */
  readonly request: (n: number) => string | Buffer;
}

const connections = 32;
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Sends requests on 32 keep-alive connections, each of which waits for its answer before it sends the next
 * one. It does as little as a client can, as it shares the machine with the server that is measured.
 * Answers how many answers were not 2xx.
 */
export async function sendRequests({ port, requests, request }: Load): Promise<{ refused: number }> {
  let sent = 0;
  let refused = 0;
  const run = async (): Promise<void> => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    await new Promise<void>((resolve, reject) => {
      const next = (): void => {
        if (sent < requests) socket.write(request(sent++));
        else resolve();
      };
      onEachAnswer(socket, (status) => {
        if (status < 200 || status > 299) refused += 1;
        next();
      });
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("the server closed a connection")));
      next();
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, run));
  return { refused };
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
