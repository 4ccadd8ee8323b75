import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { connect as connectTls } from "node:tls";

import { byToken, startTestApp, until } from "../../test/support/harness.ts";
import { requestText } from "../../test/support/raw-http.ts";
import { startSelfSignedApp } from "../../test/support/tls-app.ts";
import { clientAddressesBehind } from "./client-address.ts";
import { connectionClient, trackConnections } from "./connections.ts";

interface Client {
  readonly socket: Socket;
  /** All that came so far. */
  readonly received: () => string;
}

async function open(t: TestContext, port: number): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("error", () => undefined).on("data", (part: Buffer) => (received += part.toString()));
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return { socket, received: () => received };
}

function portOf({ baseUrl }: { readonly baseUrl: string }): number {
  return Number(new URL(baseUrl).port);
}

const zone = '{"name":"example.com"}';
/** Announces a body; what the server answers to the expectation shows that it has begun to wait for it. */
function headOf(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const framing = { "content-length": String(body.length), expect: "100-continue" };
  return requestText("POST", path, { connection: "keep-alive", ...framing, ...headers });
}

async function beginBody(client: Client, head: string): Promise<void> {
  client.socket.write(head);
  await until("the body is waited for", () => client.received().startsWith("HTTP/1.1 100 "));
}

describe("the most connections that may be open", () => {
  test("above it, those without a request give way, the longest idle first", async (t) => {
    const app = await startTestApp(t, "sqlite", { connections_max: 3 });
    const next = (): Promise<Client> => open(t, portOf(app));
    const [silent, uploading, answered] = [await next(), await next(), await next()];
    await beginBody(uploading, headOf("/client/v4/zones", zone, byToken));
    answered.socket.write(requestText("GET", "/client/v4/ips", { connection: "keep-alive" }));
    await once(answered.socket, "data");

    const fourth = await next();
    await until("the silent one is ended", () => silent.socket.destroyed);
    assert.deepEqual([uploading.socket.destroyed, answered.socket.destroyed], [false, false]);
    await next();
    await until("the one that has its answer is ended", () => answered.socket.destroyed);
    await next();
    await until("the fourth is ended", () => fourth.socket.destroyed);
    uploading.socket.write(zone);
    await until("the upload is answered", () => uploading.received().includes("HTTP/1.1 200 OK"));
  });

  test("while all of them have a request of a known caller, one more is refused", async (t) => {
    const app = await startTestApp(t, "sqlite", { connections_max: 1 });
    const uploading = await open(t, portOf(app));
    await beginBody(uploading, headOf("/client/v4/zones", "{}", byToken));
    const refused = await open(t, portOf(app));
    await until("the other is refused", () => refused.socket.destroyed);
    uploading.socket.write("{}");
    await until("the upload is answered", () => uploading.received().includes("HTTP/1.1 400 "));
  });

  test("above it, an incomplete body of an unknown sender gives way, wherever it is sent", async (t) => {
    const app = await startTestApp(t, "sqlite", { connections_max: 2 });
    const known = await open(t, portOf(app));
    await beginBody(known, headOf("/client/v4/zones", zone, byToken));
    for (const path of ["/session", "/gateway/v1/sepolia"]) {
      const unknown = await open(t, portOf(app));
      await beginBody(unknown, headOf(path, zone));
      const other = await open(t, portOf(app));
      await until(`${path} gives way`, () => unknown.socket.destroyed);
      other.socket.destroy();
    }
    // A request that is refused before its body is read is held open for its client to read that.
    const refused = await open(t, portOf(app));
    refused.socket.write(requestText("POST", "/client/v4/zones", { "content-length": "100" }, "{"));
    await until("it is refused", () => refused.received().includes("HTTP/1.1 400 "));
    await open(t, portOf(app));
    await until("the refused one gives way", () => refused.socket.destroyed);
    known.socket.write(zone);
    await until("the upload is answered", () => known.received().includes("HTTP/1.1 200 OK"));
  });

  test("above it, connections that never complete the handshake of TLS give way", async (t) => {
    const { port, authority } = await startSelfSignedApp(t, "--connections-max=2");
    const shaking = [await open(t, port), await open(t, port)];
    const spoken = connectTls({ port, host: "127.0.0.1", ca: authority, servername: "localhost" });
    t.after(() => spoken.destroy());
    await once(spoken, "secureConnect");
    await until("the first gives way", () => shaking[0]?.socket.destroyed === true);
    assert.equal(shaking[1]?.socket.destroyed, false);
    spoken.write(requestText("GET", "/healthz", { connection: "keep-alive" }));
    const [answer] = (await once(spoken, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    await open(t, port);
    await until("the second gives way", () => shaking[1]?.socket.destroyed === true);
  });
});

describe("the most connections of one client", () => {
  test("above it, the client's own give way, and others stay", async (t) => {
    const clients = ["one", "other", "one", "one", "one"];
    const connections = trackConnections({
      connectionsMax: 100,
      perClientMax: 2,
      clientOf: () => clients.shift(),
      anonymousBodyMsMax: 60_000,
    });
    const server = createServer((_, response) => response.end());
    connections.watch(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const opened: Client[] = [];
    for (let count = 0; count < 5; count += 1) opened.push(await open(t, port));
    const [first, other, second, ...latest] = opened.map(({ socket }) => socket);
    await until("the first two give way", () => first?.destroyed === true && second?.destroyed === true);
    assert.deepEqual(
      [other, ...latest].map((socket) => socket?.destroyed),
      [false, false, false],
    );
  });

  test("counts by address, by /64 of IPv6, and not for loopback and trusted proxies", () => {
    const clientOf = connectionClient(
      clientAddressesBehind(["192.0.2.1", "198.51.100.0/24", "2001:db8:1::/48"]),
    );
    const onLoopback = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"];
    const proxies = ["192.0.2.1", "::ffff:192.0.2.1", "198.51.100.77", "2001:db8:1:2::3"];
    for (const exempt of onLoopback.concat(proxies)) assert.equal(clientOf(exempt), undefined, exempt);
    assert.notEqual(clientOf("192.0.2.2"), undefined);
    assert.notEqual(clientOf("192.0.2.2"), clientOf("192.0.2.3"));
    assert.equal(clientOf("192.0.2.2"), clientOf("::ffff:192.0.2.2"));
    assert.equal(clientOf("2001:db8:2:3::1"), clientOf("2001:db8:2:3:ffff::1"));
    assert.notEqual(clientOf("2001:db8:2:3::1"), clientOf("2001:db8:2:4::1"));
  });
});

describe("a body that does not come", () => {
  test("has so long while its sender is unknown, and then gets 408; a known caller is waited for", async (t) => {
    const app = await startTestApp(t, "sqlite", {}, { anonymousBodyMsMax: 300 });
    const known = await open(t, portOf(app));
    await beginBody(known, headOf("/client/v4/zones", zone, byToken));
    for (const path of ["/session", "/gateway/v1/sepolia"]) {
      const unknown = await open(t, portOf(app));
      await beginBody(unknown, headOf(path, zone));
      unknown.socket.write("{");
      await until(`${path} is ended`, () => unknown.socket.destroyed);
      assert.match(unknown.received(), /\r\n\r\nHTTP\/1\.1 408 /);
      assert.match(unknown.received(), /"code":10408,"message":"Request was not received in time"/);
    }
    known.socket.write(zone);
    await until("the upload is answered", () => known.received().includes("HTTP/1.1 200 OK"));
  });

  test("does not take the answer to the request before it", async (t) => {
    const answers: (() => void)[] = [];
    const connections = trackConnections({
      connectionsMax: 100,
      perClientMax: 100,
      clientOf: () => undefined,
      anonymousBodyMsMax: 50,
    });
    const server = createServer((request, response) => {
      if (request.method === "GET") answers.push(() => void response.end("answered"));
    });
    let timeouts = 0;
    server.on("clientError", (_, socket) => {
      timeouts += 1;
      socket.destroy();
    });
    connections.watch(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.after(() => server.close());
    const [client, later] = [
      await open(t, (server.address() as AddressInfo).port),
      await open(t, (server.address() as AddressInfo).port),
    ];
    const slow = requestText("POST", "/", { connection: "keep-alive", "content-length": "10" }, "{");
    client.socket.write(requestText("GET", "/", { connection: "keep-alive" }) + slow);
    await until("both are under way", () => answers.length === 1);
    later.socket.write(slow);
    await until("the time of such a body is over", () => timeouts === 1);
    assert.equal(client.socket.destroyed, false);
    for (const answer of answers) answer();
    await until("it has its answer", () => client.received().includes("answered"));
    await until("the body behind it has had its time as well", () => timeouts === 2);
  });
});
