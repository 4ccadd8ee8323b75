import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { operations } from "../../src/server/operations.ts";
import { newDirectory, ownerToken, sendRequest, until } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { ownerFlags, spawnServer, type SpawnedServer } from "../support/spawned-server.ts";
import { suiteContext } from "../support/suite-context.ts";

const mebibyte = 1024 * 1024;
/** Bounds on the garbage of a busy moment; a deep body is many objects. */
const growthBytesMax = { usual: 96 * mebibyte, deepBodies: 400 * mebibyte, connection: 8_192 } as const;
/** Far above what an answer takes on a busy machine, and below what an attack could hold it up. */
const answerMsMax = 30_000;

describe("clients that mean harm", () => {
  const suite = suiteContext();
  let server: SpawnedServer;
  let zone: string;

  before(async () => {
    const flags = [`--data=${newDirectory(suite)}`, "--log-level=silent", ...ownerFlags];
    server = await spawnServer(suite, flags);
    const { body } = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
    zone = `/zones/${body.result.id}`;
  });

  /** Others are served all the while, and the memory stays bounded; `attack` says when it is over. */
  async function servesOthers(
    attack: () => Promise<unknown>,
    bytesMax: number = growthBytesMax.usual,
  ): Promise<{ grown: number; slowestMs: number }> {
    const atFirst = await residentBytes(server);
    let highest = atFirst;
    let slowestMs = 0;
    const over = new AbortController();
    const attacking = attack().finally(() => over.abort());
    do {
      const began = performance.now();
      const answer = await sendRequest(server.baseUrl, "GET", zone);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      assert.equal(answer.status, 200, answer.text);
      highest = Math.max(highest, await residentBytes(server));
      await Promise.race([attacking, delay(50)]);
    } while (!over.signal.aborted);
    await attacking;
    const grown = highest - atFirst;
    assert.ok(grown < bytesMax, `grew by ${grown} bytes`);
    assert.ok(slowestMs < answerMsMax, `another client waited for ${slowestMs} ms`);
    return { grown, slowestMs };
  }

  test("connections that say nothing, however many, keep nobody else from being served", async (t) => {
    const count = roundsOr(1_000);
    const sockets: Socket[] = [];
    const measured = await servesOthers(
      async () => {
        while (sockets.length < count) sockets.push(await open(server));
      },
      growthBytesMax.usual + count * growthBytesMax.connection,
    );
    t.diagnostic(`${count} connections: ${told(measured)}`);
    for (const socket of sockets) socket.destroy();
  });

  test("requests that come octet by octet keep nobody else from being served, and have a minute and a half", async (t) => {
    const seconds = roundsOr(2);
    const secondsMax = 90;
    const count = 300;
    const { pathname } = new URL(server.baseUrl);
    const heads = [`GET ${pathname}/zones HTTP/1.1\r\nhost: a\r\nx-slow: `, bodyHead(server, zone, 1_000)];
    const sockets: Socket[] = [];
    const measured = await servesOthers(async () => {
      while (sockets.length < count) {
        const socket = await open(server);
        // Answers have to be read, or the end is never seen.
        socket.resume().write(heads[sockets.length % 2] ?? "");
        sockets.push(socket);
      }
      for (let second = 0; second < seconds; second += 1) {
        for (const socket of sockets) if (socket.writable) socket.write("x");
        await delay(1_000);
      }
    });
    const ended = sockets.filter(({ destroyed }) => destroyed).length;
    assert.equal(ended, seconds > secondsMax ? count : 0);
    t.diagnostic(`${count} requests for ${seconds} s: ${ended} ended by the server; ${told(measured)}`);
    for (const socket of sockets) socket.destroy();
  });

  test("a body of 1 GB is refused before it is sent, whatever it says of its length", async (t) => {
    const bytes = 1_000_000_000;
    for (const framing of [`content-length: ${bytes}`, "transfer-encoding: chunked"]) {
      let sent = 0;
      let received = "";
      const measured = await servesOthers(async () => {
        const socket = await open(server);
        socket.setEncoding("latin1").on("data", (part: string) => (received += part));
        const { pathname } = new URL(server.baseUrl);
        socket.write(
          `POST ${pathname}/zones HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ownerToken}\r\n${framing}\r\n\r\n`,
        );
        const part = Buffer.alloc(65_536, 0x20);
        const chunk = framing.includes("chunked")
          ? Buffer.concat([Buffer.from("10000\r\n"), part, Buffer.from("\r\n")])
          : part;
        while (sent < bytes && !socket.destroyed) {
          sent += part.length;
          if (!socket.write(chunk)) await drained(socket);
        }
        socket.destroy();
      });
      assert.match(received, /^HTTP\/1\.1 413 /);
      assert.ok(sent < 64 * mebibyte, `${sent} bytes were taken`);
      t.diagnostic(`${framing}: over after ${(sent / mebibyte).toFixed(1)} MiB; ${told(measured)}`);
    }
  });

  test("headers without end are refused with 431, and the connection ends", async () => {
    const line = `GET ${new URL(server.baseUrl).pathname}/zones HTTP/1.1\r\nhost: a\r\n`;
    const bombs = [
      `x-long: ${"a".repeat(mebibyte)}\r\n`,
      Array.from({ length: 20_000 }, (_, n) => `x-${n}: ${n}\r\n`).join(""),
      `cookie: ${"a=b; ".repeat(20_000)}\r\n`,
      `authorization: Bearer ${"a".repeat(100_000)}\r\n`,
    ];
    await servesOthers(async () => {
      for (const bomb of bombs)
        assert.match(await exchange(server, `${line}${bomb}\r\n`), /^HTTP\/1\.1 431 /);
    });
  });

  test("no operation minds nesting without end or keys that reach for a prototype", async (t) => {
    const depth = 100_000;
    const bodies = [
      "[".repeat(depth) + "]".repeat(depth),
      `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}',
      '[{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]',
    ];
    const taking = operations.filter(({ schemas }) => schemas.body);
    assert.ok(taking.length > 40);
    const measured = await servesOthers(async () => {
      for (const { method, path, operation } of taking) {
        const at = path.replace("/zones/{zone_id}", zone).replaceAll(/\{\w+\}/g, "0".repeat(32));
        for (const rawBody of bodies) {
          const answer = await sendRequest(server.baseUrl, method, at, { rawBody });
          assert.ok(answer.status < 500, `${operation}: ${answer.text}`);
          assert.ok(!answer.text.includes("polluted"), `${operation}: ${answer.text}`);
        }
      }
    }, growthBytesMax.deepBodies);
    t.diagnostic(`${taking.length} operations: ${told(measured)}`);
    const { text } = await sendRequest(server.baseUrl, "GET", zone);
    assert.ok(!text.includes("polluted"));
  });

  test("no path leads out of the API", async () => {
    const { pathname } = new URL(server.baseUrl);
    const tricks = [
      "/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/package.json", "/..\\..\\package.json", "/....//....//package.json",
      "/%c0%ae%c0%ae/package.json", "/%252e%252e/package.json", "/\0", "/%00", "/%zz", "/%ff%fe", "//example.com/zones", "/.//zones/./..", "/zones;a=b",
      "/zones/%2e%2e/user", `/zones/${"a".repeat(15_000)}`, `/${"a/".repeat(7_000)}`, "/zones?__proto__[a]=1&constructor=1", "/zones?page[]=1&page=2",
    ]; // prettier-ignore
    for (const base of [pathname, "/docs", "/docs/static", "/gateway/v1", ""]) {
      for (const trick of tricks) {
        const received = await exchange(
          server,
          `GET ${base}${trick} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${ownerToken}\r\n\r\n`,
        );
        assert.match(received, /^HTTP\/1\.1 (?:[24]\d\d) /, `${base}${trick}: ${received}`);
        assert.doesNotMatch(received, /root:|"devDependencies"/, `${base}${trick}`);
      }
    }
  });
});

function bodyHead({ baseUrl }: SpawnedServer, zone: string, length: number): string {
  const { pathname } = new URL(baseUrl);
  return `PATCH ${pathname}${zone} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ownerToken}\r\ncontent-length: ${length}\r\n\r\n`;
}

async function open({ baseUrl }: SpawnedServer): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // A server that has refused may reset what is still on its way to it.
  socket.on("error", () => undefined);
  return socket;
}

/** Resolves when more can be written, or nothing any more. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("drain", resolve).once("close", () => resolve());
  });
}

/** Everything that is answered until the server ends the connection. */
async function exchange(server: SpawnedServer, bytes: string): Promise<string> {
  const socket = await open(server);
  let received = "";
  socket.setEncoding("latin1").on("data", (part: string) => (received += part));
  socket.write(bytes, "latin1");
  await until("the end of the connection", () => socket.destroyed || socket.readableEnded);
  socket.destroy();
  return received;
}

async function residentBytes({ baseUrl }: SpawnedServer): Promise<number> {
  const metrics = await (await fetch(new URL("/metrics", baseUrl))).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]);
}

function told({ grown, slowestMs }: { readonly grown: number; readonly slowestMs: number }): string {
  return `memory grew by ${Math.round(grown / mebibyte)} MiB, others waited for ${Math.round(slowestMs)} ms at most`;
}
