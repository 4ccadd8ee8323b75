import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test } from "node:test";

import { byToken, onComparedEngines, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { requestText, sendBytes } from "../../test/support/raw-http.ts";

const bodyBytesMax = 1024 * 1024;

async function zoneNames(app: TestApp): Promise<string[]> {
  const { body } = await app.request("GET", "/zones");
  return body.result.map((zone: { name: string }) => zone.name);
}

/** A zone to create, in a body of that many bytes. */
function bodyOfBytes(bytes: number): string {
  const [before, after] = ['{"name":"example.com","padding":"', '"}'];
  return before + "x".repeat(bytes - before.length - after.length) + after;
}

describe("request bodies", () => {
  test("a body on GET and DELETE is ignored, broken JSON too", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const bodies = ["{}", "{", '{"page":0}', "\0\u00ff", "null"];
    for (const [index, body] of bodies.entries()) {
      const zoneId = await app.createZone(`zone-${index}.example`);
      for (const method of ["GET", "DELETE"]) {
        for (const type of ["application/json", "no media type"]) {
          if (method === "DELETE" && type !== "application/json") continue;
          const headers = {
            ...byToken,
            "content-type": type,
            "content-length": String(Buffer.byteLength(body)),
          };
          const path = `/client/v4/zones/${zoneId}`;
          const answer = await sendBytes(app.baseUrl, requestText(method, path, headers, body));
          assert.equal(answer.status, 200, `${method} with ${JSON.stringify(body)}: ${answer.text}`);
          assert.equal(answer.body.result.id, zoneId);
        }
      }
    }
    assert.deepEqual(await zoneNames(app), []);
  });

  test("a body is read as JSON whatever its sender calls it", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const types = [
      undefined,
      "",
      "application/json",
      "application/json; charset=utf-16",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/octet-stream",
      "no media type",
      "*",
    ];
    for (const [index, type] of types.entries()) {
      const body = JSON.stringify({ name: `zone-${index}.example` });
      const headers = {
        ...byToken,
        ...(type !== undefined && { "content-type": type }),
        "content-length": String(body.length),
      };
      const answer = await sendBytes(app.baseUrl, requestText("POST", "/client/v4/zones", headers, body));
      assert.equal(answer.status, 200, `${type}: ${answer.text}`);
      assert.equal(answer.body.result.name, `zone-${index}.example`);
    }
  });

  test("a body may come in chunks and begin with a byte order mark", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const body = '\ufeff{"name":"münchen.example"}';
    const octets = Buffer.from(body);
    // Cut within the two octets of the umlaut.
    const cut = octets.indexOf(0xc3) + 1;
    const bytes = Buffer.concat([
      Buffer.from(requestText("POST", "/client/v4/zones", { ...byToken, "transfer-encoding": "chunked" })),
      Buffer.from(`${cut.toString(16)}\r\n`),
      octets.subarray(0, cut),
      Buffer.from(`\r\n${(octets.length - cut).toString(16)}\r\n`),
      octets.subarray(cut),
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    const answer = await sendBytes(app.baseUrl, bytes);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.result.name, "münchen.example");
  });

  test("malformed JSON is 400 code 6007, and nothing is stored", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const bodies = [
      "{",
      "name=example.com",
      '{"name":"example.com"',
      '{"name":"example.com",}',
      '{"name":"example.com"} {}',
      "{name:'example.com'}",
      '{"name":"example.com\n"}',
      " ",
      "\0",
    ];
    for (const rawBody of bodies) {
      const { status, text } = await app.request("POST", "/zones", { rawBody });
      assert.equal(status, 400, rawBody);
      assert.equal(
        text,
        '{"result":null,"success":false,"errors":[{"code":6007,"message":"Malformed JSON in request body"}],"messages":[]}',
        rawBody,
      );
    }
    assert.deepEqual(await zoneNames(app), []);
  });

  test("a body that is not UTF-8 is 400 code 6007, and nothing is stored", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const json = '{"name":"münchen.example"}';
    const halves = Buffer.from(json.replace("ü", "\\"));
    halves[halves.indexOf("\\")] = 0xc3;
    for (const body of [Buffer.from(json, "latin1"), Buffer.from(json, "utf16le"), halves]) {
      const headers = { ...byToken, "content-length": String(body.length) };
      const head = Buffer.from(requestText("POST", "/client/v4/zones", headers));
      const answer = await sendBytes(app.baseUrl, Buffer.concat([head, body]));
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors[0]?.code, 6007);
    }
    assert.deepEqual(await zoneNames(app), []);
  });

  test("an unknown expectation changes nothing", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const body = '{"name":"example.com"}';
    const headers = { ...byToken, expect: "nothing", "content-length": String(body.length) };
    const answer = await sendBytes(app.baseUrl, requestText("POST", "/client/v4/zones", headers, body));
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await zoneNames(app), ["example.com"]);
  });

  test("a body that is not an object, or is missing, is 400 code 1003, and nothing is stored", async (t) => {
    const app = await startTestApp(t, "sqlite");
    for (const rawBody of ["null", "[]", '["example.com"]', '"example.com"', "5", "true", ""]) {
      const { status, body } = await app.request("POST", "/zones", { rawBody });
      assert.equal(status, 400, rawBody);
      assert.deepEqual(body.errors, [
        { code: 1003, message: "Invalid body: must be object", source: { pointer: "" } },
      ]);
    }
    assert.deepEqual(await zoneNames(app), []);
  });

  test("keys that reach for a prototype are dropped", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { status, body } = await app.request("POST", "/zones", {
      rawBody:
        '{"name":"example.com","__proto__":{"type":"partial","polluted":1},"constructor":{"prototype":{"polluted":1}},"\\u005f_proto__":{"type":"partial"}}',
    });
    assert.equal(status, 200);
    assert.equal(body.result.type, "full");
    const nested = '{"name":"example.org","account":{"__proto__":{"id":"0123456789abcdef0123456789abcdef"}}}';
    assert.equal((await app.request("POST", "/zones", { rawBody: nested })).status, 200);
    const query = "__proto__=x&__proto__[polluted]=1&constructor=x&constructor[prototype]=x&toString=x";
    assert.equal((await app.request("GET", `/zones?${query}`)).status, 200);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  test("a body of 1 MiB is accepted, one byte more is 413, and nothing is stored", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const tooLarge = bodyOfBytes(bodyBytesMax + 1);
    const chunked = `${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n0\r\n\r\n`;
    const requests = [
      requestText(
        "POST",
        "/client/v4/zones",
        { ...byToken, "content-length": String(tooLarge.length) },
        tooLarge,
      ),
      requestText("POST", "/client/v4/zones", { ...byToken, "transfer-encoding": "chunked" }, chunked),
    ];
    for (const bytes of requests) {
      const answer = await sendBytes(app.baseUrl, bytes);
      assert.equal(answer.status, 413);
      assert.equal(
        answer.text,
        `{"result":null,"success":false,"errors":[{"code":10413,"message":"Request body exceeds ${bodyBytesMax} bytes"}],"messages":[]}`,
      );
    }
    assert.deepEqual(await zoneNames(app), []);
    const accepted = await app.request("POST", "/zones", { rawBody: bodyOfBytes(bodyBytesMax) });
    assert.equal(accepted.status, 200, accepted.text);
  });

  test("a body to /session may have 16 KiB, as its sender is unknown; one byte more is 413", async (t) => {
    const app = await startTestApp(t, "sqlite");
    for (const [bytes, status, code] of [
      [16 * 1024, 403, 10411],
      [16 * 1024 + 1, 413, 10413],
    ] as const) {
      const credentials = '{"email":"nobody@example.com","password":"not a password of anybody"';
      const body = `${credentials.padEnd(bytes - 1)}}`;
      const headers = { "content-length": String(bytes) };
      const answer = await sendBytes(app.baseUrl, requestText("POST", "/session", headers, body));
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.errors[0]?.code, code);
      assert.equal(answer.headers.get("set-cookie"), undefined);
    }
  });

  test("a caller without credentials is refused before its body is read, and the connection ends", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const headers = { connection: "keep-alive", "content-length": "100000000" };
    const answer = await sendBytes(app.baseUrl, requestText("POST", "/client/v4/zones", headers, "{"));
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0]?.code, 9106);
    assert.equal(answer.headers.get("connection"), "close");
  });

  test("HEAD with a body that does not come is answered at once, and the connection ends", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { hostname, port } = new URL(app.baseUrl);
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    socket.write(
      requestText("HEAD", "/client/v4/zones", { connection: "keep-alive", "content-length": "9" }),
    );
    const [head] = (await once(socket, "data")) as [Buffer];
    assert.match(head.toString(), /^HTTP\/1\.1 400 [^]+\r\nconnection: close\r\n/i);
    socket.end("123456789");
    await once(socket, "close");
  });

  test("nesting above 64 levels is 400 code 6007 wherever it is, and nothing is stored", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zone = `/zones/${await app.createZone("example.com")}`;
    const target = { target: "url", constraint: { operator: "matches", value: "example.com/" } };
    const bodies: readonly (readonly [method: string, path: string, body: object, levels: number])[] = [
      ["POST", "/zones", { name: "example.org", ignored: "deep" }, 1],
      [
        "POST",
        `${zone}/pagerules`,
        { targets: [target], actions: [{ id: "cache_key_fields", value: { a: "deep" } }] },
        4,
      ],
      ["PUT", `${zone}/rulesets/phases/http_request_transform/entrypoint`, { name: "deep" }, 1],
      ["PATCH", `${zone}/settings/minify`, { value: { css: "deep" } }, 2],
    ];
    for (const [method, path, body, levels] of bodies) {
      for (const more of [65 - levels, 100_000]) {
        for (const deep of [
          "[".repeat(more) + "]".repeat(more),
          `${'{"[":'.repeat(more)}1${"}".repeat(more)}`,
        ]) {
          const rawBody = JSON.stringify(body).replace('"deep"', deep);
          const answer = await app.request(method, path, { rawBody });
          assert.equal(answer.status, 400, `${path}: ${answer.text}`);
          assert.deepEqual(answer.body.errors, [
            { code: 6007, message: "JSON in request body is nested more than 64 levels deep" },
          ]);
        }
      }
    }
    assert.deepEqual((await app.request("GET", `${zone}/pagerules`)).body.result, []);
    assert.deepEqual(await zoneNames(app), ["example.com"]);

    const [method, path, body, levels] = bodies[1] ?? assert.fail();
    const value = '{"[{\\"":'.repeat(64 - levels) + "1" + "}".repeat(64 - levels);
    const rawBody = JSON.stringify(body).replace('"deep"', value);
    const stored = await app.request(method, path, { rawBody });
    assert.equal(stored.status, 200, stored.text);
    assert.deepEqual(stored.body.result.actions[0].value, { a: JSON.parse(value) });
    // The depth is checked before the text is parsed: one that is cut off is too deep as well.
    for (const endless of ["[".repeat(500_000), `${'{"a":'.repeat(65)}nonsense`]) {
      const { status, body: answer } = await app.request("POST", "/zones", { rawBody: endless });
      assert.equal(status, 400);
      assert.equal(answer.errors[0]?.message, "JSON in request body is nested more than 64 levels deep");
    }
  });
});

onComparedEngines("a text that no store can keep, with U+0000 or half of a surrogate pair,", (engine) => {
  test("is refused with a pointer to it, and nothing is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = `/zones/${await app.createZone("example.com")}`;
    const rule = { action: "block", filter: { expression: "ssl" } };
    const made = await app.request("POST", `${zone}/firewall/rules`, { body: [rule] });
    const [{ id, filter }] = made.body.result;
    for (const [method, path, body, pointer] of [
      ["PATCH", `${zone}/firewall/rules`, [{ id, description: "a\0b" }], "/0/description"],
      ["PATCH", `${zone}/firewall/rules/${id}`, { ref: "\0" }, "/ref"],
      ["PUT", `${zone}/filters/${filter.id}`, { expression: "ssl", description: "\0" }, "/description"],
      ["PUT", `${zone}/filters/${filter.id}`, { expression: 'http.host eq "\0"' }, "/expression"],
      ["PUT", `${zone}/filters/${filter.id}`, { expression: 'http.host eq "\ud800"' }, "/expression"],
      ["PATCH", `${zone}/firewall/rules`, [{ id, description: "a\udfff" }], "/0/description"],
      ["PATCH", "/user", { first_name: "\0" }, "/first_name"],
      ["PATCH", "/user", { first_name: "\udc00\ud800" }, "/first_name"],
      [
        "POST",
        `${zone}/web3/hostnames`,
        { name: "w.example.com", target: "ethereum", description: "\0" },
        "/description",
      ],
    ] as const) {
      const { status, body: answer, text } = await app.request(method, path, { body });
      assert.equal(status, 400, `${method} ${path}: ${text}`);
      assert.equal(answer.errors[0]?.code, 1003, text);
      assert.equal(answer.errors[0]?.source?.pointer, pointer, text);
    }
    const after = await app.request("GET", `${zone}/firewall/rules`);
    assert.deepEqual(after.body.result, made.body.result);
  });
});
