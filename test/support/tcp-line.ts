import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";

interface Line {
  readonly url: string;
  /** From now on nothing is heard from the server on connections of the kind; they stay open. */
  readonly silence: () => void;
  readonly carry: () => void;
  /** From now on nothing is heard on the connections that are open, which stay so; new ones are carried. */
  readonly abandon: () => void;
  /** All connections end, and new ones end at once, until `carry`. */
  readonly cut: () => void;
}

/** A TCP line to the server of `database` that can fall silent for connections of an application, or be cut. */
export async function startLine(t: TestContext, database: string, applicationName: string): Promise<Line> {
  const { hostname, port } = new URL(database);
  const watched = new Set<Socket>();
  const open = new Set<Socket>();
  let isSilent = false;
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    open.add(client);
    client.on("close", () => open.delete(client));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => undefined);
      socket.on("close", () => other.destroy());
    }
    client.once("data", (startup) => {
      if (startup.includes(applicationName)) watched.add(upstream);
      if (isSilent && watched.has(upstream)) upstream.pause();
    });
    client.pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = new URL(database);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      isSilent = true;
      for (const socket of watched) socket.pause();
    },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    abandon: () => {
      for (const client of open) {
        client.unpipe();
        client.pause();
      }
      for (const socket of watched) {
        socket.unpipe();
        socket.pause();
      }
      watched.clear();
    },
    carry: () => {
      isSilent = false;
      isCut = false;
      for (const socket of watched) socket.resume();
    },
  };
}
