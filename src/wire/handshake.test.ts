import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";

import { handshakeResponse } from "./handshake.ts";

const handshake = "GET /b HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

test("a handshake behind a request that is not answered ends its connection, and no other one", async (t) => {
  const server = createServer(() => undefined);
  server.on("upgrade", (request, socket) => void handshakeResponse(request, socket).writeHead(403).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const send = async (text: string): Promise<string> => {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("error", () => undefined);
    client.write(text);
    let answer = "";
    client.on("data", (part: Buffer) => (answer += part.toString()));
    await once(client, "close");
    return answer;
  };
  assert.equal(await send(`GET /a HTTP/1.1\r\nHost: a\r\n\r\n${handshake}`), "");
  assert.match(await send(handshake), /^HTTP\/1\.1 403 /);
});
