import { connect } from "node:net";

import type { Envelope } from "./harness.ts";

const answerMsMax = 120_000;

/** One answer as it came over the connection. */
export interface RawAnswer {
  /** Status line and headers, without the empty line behind them. */
  readonly head: string;
  readonly statusLine: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly body: Envelope;
}

/**
 * Writes bytes that no client library would send and reads until the server closes the connection: say
 * `Connection: close` in a request that is well formed.
 */
export async function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const received = await exchange(baseUrl, bytes);
  const end = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const text = received.slice(end + 4);
  return {
    head: received.slice(0, end),
    statusLine,
    status: Number(statusLine.split(" ")[1]),
    headers,
    text,
    body: JSON.parse(text === "" ? "null" : text) as Envelope,
  };
}

/** Everything that the server answers until it closes the connection. */
export function exchange(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.setEncoding("utf8");
    socket.setTimeout(answerMsMax, () => socket.destroy(new Error(`no end of the answer: ${received}`)));
    socket.on("data", (part: string) => (received += part));
    socket.on("error", (error) => {
      // A server that refuses early may reset what is still on its way to it.
      if (received === "") reject(error);
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(received));
    socket.write(bytes);
  });
}

/** The answer for a client that sends everything before it reads anything, and reads no more than the one answer. */
export async function sendThenRead(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.write(bytes, () => resolve());
    });
    let received = "";
    for await (const part of socket) {
      received += part as string;
      const [head = "", text = ""] = received.split("\r\n\r\n");
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (length !== undefined && text.length >= Number(length)) break;
    }
    return received;
  } finally {
    socket.destroy();
  }
}

/** A request as text, as curl would write it. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const lines = Object.entries({ host: "localhost", connection: "close", ...headers });
  return [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join(
    "\r\n",
  );
}
