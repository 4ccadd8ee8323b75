import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface RawOrigin {
  readonly port: number;
  /** The octets of each request, as they have arrived so far. */
  readonly seen: string[];
  /** The number of connections that were opened. */
  readonly opened: () => number;
  /** The number of connections that were closed. */
  readonly closed: () => number;
}

/** An origin that answers a request, once its head is there, with the octets that `answers` has for its path. */
export async function startRawOrigin(
  t: TestContext,
  answers: Readonly<Record<string, string>>,
): Promise<RawOrigin> {
  const seen: string[] = [];
  let opened = 0;
  let closed = 0;
  const server = createServer((socket) => {
    let at = -1;
    opened += 1;
    socket.on("error", () => undefined);
    socket.on("close", () => (closed += 1));
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => {
      const head = /^[A-Z-]+ (\/\S*) HTTP\/1\.1\r\n/.exec(part);
      if (head === null) seen[at] += part;
      else {
        at = seen.push(part) - 1;
        const answer = answers[head[1] ?? ""] ?? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        if (head[1] === "/octets") for (const octet of answer) socket.write(octet, "latin1");
        else if (answer.endsWith("CLOSE")) socket.end(answer.slice(0, -"CLOSE".length), "latin1");
        else socket.write(answer, "latin1");
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, seen, opened: () => opened, closed: () => closed };
}
