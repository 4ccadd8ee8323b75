import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, test } from "node:test";

import { pino } from "pino";

import { ownerEmail, ownerKey, ownerToken } from "../../test/support/harness.ts";
import { startApp } from "../server/app.ts";
import { withBuiltInNetworks } from "../gateway/chain/networks.ts";
import { readConfig } from "../config/config.ts";

describe("log", () => {
  test("a request leaves one line of known fields, and never a secret, a path, a query or a body", async (t) => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _, done) => {
        lines.push(...chunk.toString().trimEnd().split("\n"));
        done();
      },
    });
    const { config } = await readConfig([], {});
    const app = await startApp(
      {
        ...config,
        port: 0,
        ephemeral: true,
        owner_email: ownerEmail,
        owner_key: ownerKey,
        owner_token: ownerToken,
      },
      { logger: pino({ level: "trace" }, stream) },
    );
    t.after(() => app.close());

    const wrongToken = `wrong-${"w".repeat(40)}`;
    const byToken = { authorization: `Bearer ${ownerToken}` };
    const byKey = { "x-auth-email": ownerEmail, "x-auth-key": ownerKey };
    const requests: readonly (readonly [string, string, Record<string, string>, string?])[] = [
      ["GET", "/zones?name=query-value.example", byToken],
      ["GET", "/zones?page=query-value", byToken],
      ["GET", "/zones", byKey],
      ["GET", "/zones", { authorization: `Bearer ${wrongToken}` }],
      ["GET", "/zones", { authorization: "Basic wrong-scheme" }],
      ["GET", "/zones", { "x-auth-email": "wrong-mail", "x-auth-key": "wrong-key" }],
      ["GET", "/zones", { ...byToken, cookie: "session=wrong-cookie" }],
      ["GET", "/path-value?api_key=query-value", {}],
      ["GET", "/zones/path-value", byToken],
      ["GET", "/zones/%zz-path-value", byToken],
      ["POST", "/zones", byToken, JSON.stringify({ name: "body-value.example" })],
      ["POST", "/zones", byToken, JSON.stringify({ name: "body-value.example" })],
      ["POST", "/zones", byToken, JSON.stringify({ name: "body-value" })],
      ["POST", "/zones", byToken, JSON.stringify({ name: ["body-value"] })],
      ["POST", "/zones", byToken, '{"body-value'],
      ["POST", "/zones", byToken, JSON.stringify({ name: "body-value".repeat(200_000) })],
      ["PUT", "/zones", byToken, "body-value"],
      ["GET", "/user/tokens/verify", byToken],
      ["GET", "/user/tokens/verify", { authorization: `Bearer ${wrongToken}` }],
    ];
    for (const [method, path, headers, body] of requests) {
      const answer = await fetch(app.baseUrl + path, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      await answer.arrayBuffer();
    }
    // The line of the last request is written once its answer is out.
    await app.close();

    const secrets = [ownerToken, ownerKey, ownerEmail, wrongToken, "wrong-", "-value", "api_key", "Bearer"];
    for (const secret of secrets)
      assert.ok(!lines.some((line) => line.includes(secret)), `${secret} is in the log`);

    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const known = new Set([
      "level", "time", "pid", "hostname", "msg", "ray", "method", "route", "status", "ms", "client", "user",
    ]); // prettier-ignore
    for (const entry of entries)
      assert.deepEqual(
        Object.keys(entry).filter((key) => !known.has(key)),
        [],
      );
    const ofRequests = entries.filter(({ msg }) => msg === "request");
    assert.equal(ofRequests.length, requests.length);
    assert.equal(new Set(ofRequests.map(({ ray }) => ray)).size, requests.length);
    const [first] = ofRequests;
    assert.deepEqual(
      [first?.["method"], first?.["route"], first?.["status"], first?.["client"], first?.["user"]],
      ["GET", "/client/v4/zones", 200, "127.0.0.1", app.owner.userId],
    );
  });

  test("a call to the gateway leaves a line at the level debug alone, without its path, method or parameters", async (t) => {
    const gateway_networks = withBuiltInNetworks([]);
    for (const level of ["info", "debug"]) {
      const lines: Record<string, unknown>[] = [];
      const stream = new Writable({
        write: (chunk: Buffer, _, done) => {
          lines.push(JSON.parse(chunk.toString()));
          done();
        },
      });
      const { config } = await readConfig([], {});
      const app = await startApp(
        { ...config, port: 0, ephemeral: true, gateway_networks },
        { logger: pino({ level }, stream) },
      );
      t.after(() => app.close());
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":["param-value"]}';
      for (const path of ["mainnet?key=query-value", "path-value"])
        await fetch(`${app.gatewayUrl}/v1/${path}`, { method: "POST", body }).then((answer) => answer.text());
      await app.close();

      const written = lines.filter(({ msg }) => msg === "gateway request");
      const seen = written.map(({ network, status, client }) => [network, status, client]);
      const expected = [
        ["mainnet", 503, "127.0.0.1"],
        ["unknown", 404, "127.0.0.1"],
      ];
      assert.deepEqual(seen, level === "debug" ? expected : []);
      assert.ok(!JSON.stringify(lines).includes("-value"));
    }
  });
});
