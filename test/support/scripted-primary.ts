import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { TestContext } from "node:test";

import {
  decodeMessage,
  encodeMessage,
  type Message,
  type ResourceRecord,
} from "../../src/core/dns/wire/message.ts";
import { LengthFramer } from "../../src/name-server/listeners.ts";
import { framed } from "./dns-client.ts";

/** A primary's answer to a question, message after message. */
export type Script = (question: Message) => readonly (readonly ResourceRecord[] | Uint8Array)[];

/** A primary that says what it is told to, without signatures. */
export async function servePrimary(t: TestContext, script: { current: Script }): Promise<number> {
  return serveTcp(t, (socket) => {
    const framer = new LengthFramer();
    socket.on("data", (chunk) => {
      framer.push(chunk);
      for (let bytes = framer.next(); bytes !== undefined; bytes = framer.next()) {
        const query = decodeMessage(bytes);
        const { id, questions } = query;
        for (const said of script.current(query)) {
          const message =
            said instanceof Uint8Array
              ? said
              : encodeMessage({
                  id,
                  flags: 0x8400,
                  questions,
                  answers: said,
                  authorities: [],
                  additionals: [],
                });
          socket.write(framed(message));
        }
        socket.end();
      }
    });
  });
}

export async function serveTcp(t: TestContext, connected: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    connected(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
