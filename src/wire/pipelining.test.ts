import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";

import { exchange, requestText } from "../../test/support/raw-http.ts";
import { answerInTurn } from "./pipelining.ts";

/** More than the buffers of a connection hold. */
const longBytes = 16_000_000;

/** A server whose answers have that many bytes, and the requests that it got. */
async function serve(t: TestContext, bytes: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const { url } = await serveWith(t, (request, response) => {
    asked.push(request.url ?? "");
    const sent: Buffer[] = [];
    request.on("data", (part: Buffer) => sent.push(part));
    request.on("end", () => response.end(Buffer.concat(sent).toString().padEnd(bytes, ".")));
  });
  return { url, asked };
}

async function serveWith(t: TestContext, listener: RequestListener): Promise<{ url: string }> {
  const server = createServer(listener);
  answerInTurn(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Requests that were written before any is answered; the last asks for the end of the connection. */
function ahead(requests = 40): string {
  return Array.from({ length: requests }, (_, at) => {
    const body = `body ${at}`;
    const connection = at === requests - 1 ? "close" : "keep-alive";
    return requestText("POST", `/${at}`, { connection, "content-length": String(body.length) }, body);
  }).join("");
}

describe("requests that are sent ahead on one connection", () => {
  test("are each answered, in their order, with their own bodies", async (t) => {
    const { url, asked } = await serve(t, 0);
    const requests = 101;
    const received = await exchange(url, ahead(requests));
    const expected = Array.from({ length: requests }, (_, at) => at);
    assert.deepEqual(
      [...received.matchAll(/body (\d+)/g)].map(([, at]) => Number(at)),
      expected,
    );
    assert.deepEqual(
      asked,
      expected.map((at) => `/${at}`),
    );
  });

  test("are not begun while the answer before them waits to be read", async (t) => {
    const { url, asked } = await serve(t, longBytes);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).pause();
    t.after(() => socket.destroy());
    socket.write(ahead());
    await once(socket, "connect");
    // Another client is served meanwhile, several times.
    for (let count = 0; count < 3; count += 1) {
      await exchange(url, requestText("POST", "/other", { "content-length": "0" }));
    }
    assert.deepEqual(
      asked.filter((path) => path !== "/other"),
      ["/0"],
    );
  });

  test("end their connection where more than 100 wait for the answer before them", async (t) => {
    let asked = 0;
    const { url } = await serveWith(t, () => (asked += 1));
    const unanswered = requestText("GET", "/", { connection: "keep-alive" });
    assert.equal(await exchange(url, unanswered.repeat(102)), "");
    assert.equal(asked, 1);
  });
});
