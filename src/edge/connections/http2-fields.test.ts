import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { before, test } from "node:test";

import { startEdgeApp } from "../../../test/support/edge-app.ts";
import { serveHttps } from "../../../test/support/http2-visitor.ts";
import { exchange } from "../../../test/support/raw-http.ts";
import { sendFields, type RawHttp2Answer } from "../../../test/support/raw-http2.ts";
import { startRawOrigin } from "../../../test/support/raw-origin.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const suite = suiteContext();
let seen: Awaited<ReturnType<typeof startRawOrigin>>["seen"];
let edge: Awaited<ReturnType<typeof startEdgeApp>>;
before(async () => {
  const origin = await startRawOrigin(suite, {});
  seen = origin.seen;
  edge = await startEdgeApp(suite, "sqlite", origin.port);
  await serveHttps(edge);
});

type Field = readonly [name: string, value: string];

const line = (method = "GET", path = "/"): Field[] => [
  [":method", method],
  [":scheme", "https"],
  [":path", path],
  [":authority", "www.example.com"],
];

/** Sends a request over HTTP/2; also what the origin got of it. */
async function send(
  fields: readonly Field[],
  options = {},
): Promise<RawHttp2Answer & { readonly request: string }> {
  seen.length = 0;
  const answer = await sendFields(edge.securePort, fields, options);
  return { ...answer, request: seen.join("") };
}

/** The code ENHANCE_YOUR_CALM. */
const tooMuch = 11;

test("as many headers as the announced size permits reach the origin, and no more", async () => {
  const cookies = Array.from({ length: 400 }, (_, n): Field => ["cookie", `name-${n}=value`]);
  const { status, request } = await send([...line(), ...cookies]);
  assert.equal(status, 200);
  assert.match(request, /\r\ncookie: name-0=value; name-1=value; [^\r]*; name-399=value\r\n/);
  const many = Array.from({ length: 900 }, (_, n): Field => [`x${n}`, ""]);
  assert.equal((await send([...line(), ...many])).status, 200);

  const size = (fields: readonly Field[]) =>
    fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  const filled = (octets: number): Field[] => {
    const fields: Field[] = line();
    while (octets - size(fields) > 15_000) fields.push(["x-a", "a".repeat(10_000)]);
    return [...fields, ["x-b", "b".repeat(octets - size(fields) - 35)]];
  };
  for (const isEarly of [false, true]) {
    assert.equal((await send(filled(32 * 1024), { isEarly })).status, 200);
    for (const octets of [32 * 1024 + 1, 120_000]) {
      const { status: refused, error, request: sent } = await send(filled(octets), { isEarly });
      assert.ok(refused === 431 || error === tooMuch, `${octets}: ${refused} ${error}`);
      assert.equal(sent, "");
    }
  }
});

test("both versions of HTTP take the same methods", async () => {
  const overHttp1 = async (method: string) =>
    (
      await exchange(edge.url, `${method} / HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n`)
    ).slice(9, 12);
  const unknown = ["get", "Get", "post", "a'b", "FOO", "PRI", "GETT", "GE", "X-METHOD", "M_SEARCH", "BREW"];
  for (const method of [...METHODS.filter((each) => each !== "CONNECT"), ...unknown]) {
    const { status, request } = await send(line(method));
    assert.equal(String(status), await overHttp1(method), method);
    assert.equal(status === 200, request !== "", method);
    if (unknown.includes(method)) assert.equal(status, 400, method);
  }
  assert.deepEqual(
    (await Promise.all(["PURGE", "TRACE"].map((method) => sendFields(edge.securePort, line(method))))).map(
      ({ status }) => status,
    ),
    [405, 405],
  );
});

test("octets beyond ASCII in a path reach rules and the origin escaped once", async () => {
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: `http.request.uri.path eq "/blocked"` },
    { action: "block", expression: `http.request.uri.path eq "/caf%C3%A9-blocked"` },
  ]);
  await edge.untilStatus("/blocked", 403);
  for (const [path, target] of [
    ["/caf\u00c3\u00a9?n=\u00c3\u00bc", "/caf%C3%A9?n=%C3%BC"],
    ["/\u00ff?\u00ff", "/%FF?%FF"],
    ["/%C3%A9", "/%C3%A9"],
  ] as const) {
    const { status, request } = await send(line("GET", path));
    assert.equal(status, 200);
    assert.equal(request.slice(0, request.indexOf("\r\n")), `GET ${target} HTTP/1.1`);
  }
  assert.equal((await send(line("GET", "/caf\u00c3\u00a9-blocked"))).status, 403);
  for (const path of ["/a b", "/a\tb", "/a\u007f", "/a\0", "", "a", "/a#b"]) {
    const { status, error, request } = await send(line("GET", path));
    assert.ok(status === 400 || error !== undefined, path);
    assert.equal(request, "", path);
  }
});

test("white space around a value is no part of it for rules and the origin", async () => {
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: `http.request.uri.path eq "/blocked-too"` },
    { action: "block", expression: `any(http.request.headers["x-a"][*] eq "bad")` },
  ]);
  await edge.untilStatus("/blocked-too", 403);
  for (const value of [" v w", "v w ", "\tv w\t", " \t v w \t "]) {
    const { status, request } = await send([...line(), ["x-a", value]]);
    assert.equal(status, 200, JSON.stringify(value));
    assert.match(request, /\r\nx-a: v w\r\n/);
  }
  for (const empty of ["", " ", "\t\t"]) {
    const { status, request } = await send([...line(), ["x-a", empty]]);
    assert.equal(status, 200);
    assert.match(request, /\r\nx-a: ?\r\n/);
  }
  assert.equal((await send([...line(), ["x-a", "\tbad "]])).status, 403);
});
