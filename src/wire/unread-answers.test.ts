import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";

import { until } from "../../test/support/harness.ts";
import { requestText } from "../../test/support/raw-http.ts";
import { createAuthority, issueServerCertificate } from "../tls/local-ca.ts";
import { trackUnreadAnswers } from "./unread-answers.ts";

const mebibyte = 1024 * 1024;
/** Much more than the buffers of a connection hold. */
const longBytes = 24 * mebibyte;
const pieceBytes = 65_536;

interface Serving {
  /** A client that has asked for an answer of that many bytes and reads nothing; beside it the server's end. */
  readonly ask: (bytes: number, from?: string) => Promise<{ client: Socket; socket: Socket }>;
}

const inPieces: RequestListener = ({ url }, response) => {
  const piece = Buffer.alloc(pieceBytes);
  Readable.from(Array.from({ length: Number(url?.slice(1)) / pieceBytes }, () => piece)).pipe(response);
};

const atOnce: RequestListener = ({ url }, response) => {
  response.end(Buffer.alloc(Number(url?.slice(1))));
};

async function serve(
  t: TestContext,
  limits: Parameters<typeof trackUnreadAnswers>[0],
  answer: RequestListener,
  transport: "TCP" | "TLS" = "TCP",
): Promise<Serving> {
  const server: Server =
    transport === "TLS" ? createTlsServer(await identity(), answer) : createServer(answer);
  const unread = trackUnreadAnswers(limits);
  unread.watch(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    unread.stop();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ask: async (bytes, from = "127.0.0.1") => {
      const opened = once(server, transport === "TLS" ? "secureConnection" : "connection");
      const client =
        transport === "TLS"
          ? connectTls({ port, rejectUnauthorized: false })
          : connect({ port, localAddress: from });
      client.on("error", () => undefined).pause();
      t.after(() => client.destroy());
      client.write(requestText("GET", `/${bytes}`, { connection: "keep-alive" }));
      const [socket] = (await opened) as [Socket];
      return { client, socket };
    },
  };
}

async function identity(): Promise<{ key: string; cert: string }> {
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const authority = await createAuthority("Test", validity);
  const { certificate, privateKey } = await issueServerCertificate(authority, ["localhost"], validity);
  return { key: privateKey, cert: certificate };
}

for (const transport of ["TCP", "TLS"] as const) {
  describe(`a client of an answer over ${transport}`, () => {
    test("that reads nothing of it loses its connection, even if it keeps sending", async (t) => {
      const { ask } = await serve(t, { msMax: 400, bytesMax: 1024 * mebibyte }, inPieces, transport);
      const { client, socket } = await ask(longBytes);
      await until("the connection is ended", () => {
        if (!socket.destroyed) client.write("\r\n");
        return socket.destroyed;
      });
    });

    test("that begins to read it and stops loses its connection", async (t) => {
      const { ask } = await serve(t, { msMax: 400, bytesMax: 1024 * mebibyte }, inPieces, transport);
      const { client, socket } = await ask(longBytes);
      await until("a part was read", () => client.read() !== null);
      await until("the connection is ended", () => socket.destroyed);
    });

    test("that reads it slowly gets all of it, however long that takes", async (t) => {
      const msMax = 2_000;
      const { ask } = await serve(t, { msMax, bytesMax: 1024 * mebibyte }, inPieces, transport);
      const { client, socket } = await ask(longBytes);
      const beganMs = performance.now();
      let bytes = 0;
      while (bytes < longBytes && !socket.destroyed) {
        const isEarly = performance.now() - beganMs < 1.5 * msMax;
        const part = client.read(isEarly ? pieceBytes : undefined) as Buffer | null;
        bytes += part?.length ?? 0;
        await delay(isEarly ? 20 : 1);
      }
      assert.ok(bytes >= longBytes, `${bytes} bytes came`);
    });
  });
}

describe("answers that wait to be read", () => {
  test("have a limit in all: the largest one is closed", async (t) => {
    const { ask } = await serve(t, { msMax: 600_000, bytesMax: 60 * mebibyte }, atOnce);
    const small = await ask(20 * mebibyte);
    const large = await ask(70 * mebibyte);
    const last = await ask(20 * mebibyte);
    await until("the largest is ended", () => large.socket.destroyed);
    assert.deepEqual([small.socket.destroyed, last.socket.destroyed], [false, false]);
  });

  test("have a share for each client: those of one close no larger one of another below its part", async (t) => {
    const { ask } = await serve(t, { msMax: 600_000, bytesMax: 60 * mebibyte }, atOnce);
    const large = await ask(25 * mebibyte, "127.0.0.2");
    const many: Awaited<ReturnType<typeof ask>>[] = [];
    for (let n = 0; n < 8; n += 1) many.push(await ask(16 * mebibyte));
    await until("some are ended", () => many.some(({ socket }) => socket.destroyed));
    assert.deepEqual([large.socket.destroyed, many.every(({ socket }) => socket.destroyed)], [false, false]);
  });

  test("include what is kept outside the socket", async (t) => {
    const unread = trackUnreadAnswers({ msMax: 600_000, bytesMax: mebibyte });
    t.after(unread.stop);
    const server = createServer((request, response) => {
      unread.keep(request.socket, 2 * mebibyte);
      response.write("x");
    });
    unread.watch(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.after(() => server.close());
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("error", () => undefined).resume();
    client.write(requestText("GET", "/", {}));
    await once(client, "close");
  });
});
