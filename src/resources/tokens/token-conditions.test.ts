import assert from "node:assert/strict";
import { before, describe, test, type TestContext } from "node:test";

import { byToken, onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { zone } from "../../core/policy/permission-groups.ts";

interface Addresses {
  readonly in?: readonly string[];
  readonly not_in?: readonly string[];
}

const tokenOf = (condition: Addresses) => ({
  name: "from somewhere",
  policies: [
    {
      effect: "allow",
      resources: { "com.cloudflare.api.account.zone.*": "*" },
      permission_groups: [{ id: zone("Zone Read").id }],
    },
  ],
  condition: { "request.ip": condition },
});

/** The headers of a new token that may be used where the condition says. */
async function newToken(app: TestApp, condition: Addresses): Promise<Record<string, string>> {
  const { body, text } = await app.request("POST", "/user/tokens", { body: tokenOf(condition) });
  assert.ok(body.success, text);
  return { authorization: `Bearer ${body.result.value}` };
}

/** Asserts that all that the token is used for from there succeeds, or is refused. */
async function assertUse(
  app: TestApp,
  headers: Record<string, string>,
  { address, allowed }: { readonly address: string; readonly allowed: boolean },
): Promise<void> {
  const what = `${headers["x-forwarded-for"] ?? "no header"}: ${address}`;
  const use = await app.request("GET", "/zones", { headers });
  const verify = await app.request("GET", "/user/tokens/verify", { headers });
  const outcome = [use.status, use.body.errors[0]?.message, verify.status, verify.body.errors[0]?.code];
  const refusal = [403, `Cannot use the access token from location: ${address}`, 401, 1000];
  assert.deepEqual(outcome, allowed ? [200, undefined, 200, undefined] : refusal, what);
  if (!allowed) assert.equal(use.body.errors[0]?.code, 9109, what);
}

const uses: readonly (readonly [Addresses, allowed: readonly string[], refused: readonly string[]])[] = [
  [{ in: ["192.0.2.1/32"] }, ["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2", "192.0.2.0", "::c000:201"]],
  [{ in: ["192.0.2.0/24"] }, ["192.0.2.0", "192.0.2.255", "::FFFF:C000:2FF"], ["192.0.3.0", "192.0.1.255"]],
  [{ in: ["0.0.0.0/0"] }, ["0.0.0.0", "255.255.255.255", "::ffff:8.8.8.8"], ["::1", "2001:db8::1"]],
  [{ in: ["2001:db8::1/128"] }, ["2001:db8::1", "2001:DB8:0:0:0:0:0:1"], ["2001:db8::2", "192.0.2.1"]],
  [{ in: ["2001:db8::/32"] }, ["2001:db8:ffff:ffff::1"], ["2001:db9::", "::ffff:192.0.2.1"]],
  [{ in: ["::/0"] }, ["::", "2001:db8::1"], ["192.0.2.1", "::ffff:192.0.2.1"]],
  [{ in: ["0.0.0.0/0", "::/0"] }, ["192.0.2.1", "2001:db8::1"], ["unknown"]],
  [{ in: ["::ffff:192.0.2.0/120"] }, ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.3.7", "2001:db8::7"]],
  [{ not_in: ["192.0.2.1/32"] }, ["192.0.2.2", "2001:db8::1"], ["192.0.2.1", "::ffff:192.0.2.1", "unknown"]],
  [
    { in: ["192.0.2.0/24"], not_in: ["192.0.2.128/25"] },
    ["192.0.2.127"],
    ["192.0.2.128", "::ffff:192.0.2.200", "198.51.100.1"],
  ],
  [{ not_in: ["0.0.0.0/0", "::/0"] }, [], ["192.0.2.1", "2001:db8::1"]],
  [{ in: [] }, [], ["192.0.2.1", "2001:db8::1", "unknown"]],
  [{ not_in: [] }, [], ["192.0.2.1"]],
  [{ in: [], not_in: ["192.0.2.0/24"] }, [], ["198.51.100.1"]],
  [{ in: ["192.0.2.0/24"], not_in: [] }, ["192.0.2.1"], ["198.51.100.1"]],
  [{}, ["192.0.2.1", "2001:db8::1", "unknown"], []],
];

onComparedEngines("the address condition of a token", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine, {
      trusted_proxies: ["127.0.0.1", "10.0.0.0/8", "2001:db8:a::/48"],
    });
  });

  test("lets the token be used from inside of its ranges alone, whatever the spelling", async () => {
    for (const [condition, allowed, refused] of uses) {
      const token = await newToken(app, condition);
      for (const address of allowed)
        await assertUse(app, { ...token, "x-forwarded-for": address }, { address, allowed: true });
      for (const address of refused) {
        const client = address.replace("::ffff:", "");
        await assertUse(app, { ...token, "x-forwarded-for": address }, { address: client, allowed: false });
      }
    }
  });

  test("is lifted by a replacement without it, as the times are, and never without a word", async () => {
    const terms = { not_before: "2026-01-01T00:00:00Z", expires_on: "2026-02-01T00:00:00Z" };
    const limited = { ...tokenOf({ in: ["192.0.2.0/24"] }), ...terms };
    const { condition: _, ...open } = tokenOf({});
    const cases = [
      [limited, []],
      [{ ...limited, expires_on: null }, ["expires_on"]],
      [{ ...open, ...terms }, ["condition"]],
      [{ ...open, ...terms, condition: {} }, ["condition"]],
      [{ ...open, ...terms, condition: { "request.ip": { in: null } } }, ["condition"]],
      [{ ...open, condition: null }, ["condition", "not_before", "expires_on"]],
    ] as const;
    for (const [replacement, lifted] of cases) {
      const { body: made } = await app.request("POST", "/user/tokens", { body: limited });
      const replace = () => app.request("PUT", `/user/tokens/${made.result.id}`, { body: replacement });
      const { body } = await replace();
      const named = body.messages.map(({ message }) => /`(\w+)`/.exec(message)?.[1]);
      assert.deepEqual(named, lifted);
      for (const member of lifted) assert.equal(body.result[member]?.["request.ip"]?.in, undefined);
      // A limit that is gone is not lifted again.
      assert.deepEqual((await replace()).body.messages, []);
    }
  });

  test("judges the last address that no trusted proxy vouches for, whatever stands before it", async () => {
    const token = await newToken(app, { in: ["192.0.2.1/32", "2001:db8:b::/48"] });
    const cases: readonly (readonly [header: string | undefined, client: string, allowed: boolean])[] = [
      [undefined, "127.0.0.1", false],
      ["192.0.2.1", "192.0.2.1", true],
      ["192.0.2.1, 10.0.0.1", "192.0.2.1", true],
      ["192.0.2.1, 10.1.2.3, 10.0.0.1", "192.0.2.1", true],
      ["2001:db8:b::1, 2001:db8:a::1", "2001:db8:b::1", true],
      ["198.51.100.9, 192.0.2.1", "192.0.2.1", true],
      // The address that the client claims stands on the left.
      ["192.0.2.1, 198.51.100.9", "198.51.100.9", false],
      ["192.0.2.1, 198.51.100.9, 10.0.0.1", "198.51.100.9", false],
      ["192.0.2.1, unknown", "unknown", false],
      ["192.0.2.1,", "192.0.2.1", true],
      ["192.0.2.1, nobody", "unknown", false],
      ["192.0.2.1:80", "192.0.2.1", true],
      ["192.0.2.1:80, 10.0.0.1:65535", "192.0.2.1", true],
      ["[2001:db8:b::1]:80", "2001:db8:b::1", true],
      ["[2001:db8:b::1], [2001:db8:a::1]:4711", "2001:db8:b::1", true],
      // Proxies alone: the farthest one is who asks.
      ["10.0.0.2, 10.0.0.1", "10.0.0.2", false],
    ];
    for (const [header, address, allowed] of cases) {
      const forwarded = header === undefined ? undefined : { "x-forwarded-for": header };
      await assertUse(app, { ...token, ...forwarded }, { address, allowed });
    }
  });

  test("with a bare address is refused with the form that is meant, and nothing is made", async () => {
    const count = async (): Promise<unknown> =>
      (await app.request("GET", "/user/tokens")).body.result_info?.total_count;
    const earlier = await count();
    const cases = [
      ["192.0.2.1", "here 192.0.2.1/32"],
      ["2001:db8::1", "here 2001:db8::1/128"],
      ["192.0.2.1/33", "such as 192.0.2.0/24 or 2001:db8::/32"],
      ["2001:db8::1/129", "such as 192.0.2.0/24 or 2001:db8::/32"],
    ] as const;
    for (const [text, example] of cases) {
      for (const list of ["in", "not_in"] as const) {
        const { status, body } = await app.request("POST", "/user/tokens", {
          headers: byToken,
          body: tokenOf({ [list]: ["203.0.113.0/24", text] }),
        });
        assert.equal(status, 400);
        const place = `condition/request.ip/${list}/1`;
        assert.deepEqual(body.errors[0], {
          code: 1001,
          message: `Invalid body \`${place}\`: must be a range in CIDR notation, ${example}`,
          source: { pointer: `/${place}` },
        });
      }
    }
    assert.equal(await count(), earlier);
  });
});

describe("the address condition of a token without trusted proxies", () => {
  const spoofed = { "x-forwarded-for": "192.0.2.1", "x-real-ip": "192.0.2.1", forwarded: "for=192.0.2.1" };

  test("judges the address of the connection, whatever the headers say", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const elsewhere = await newToken(app, { in: ["192.0.2.1/32"] });
    const here = await newToken(app, { in: ["127.0.0.1/32"] });
    await assertUse(app, { ...elsewhere, ...spoofed }, { address: "127.0.0.1", allowed: false });
    await assertUse(app, { ...here, ...spoofed }, { address: "127.0.0.1", allowed: true });
  });

  test("believes no header of a peer that is not among the trusted proxies", async (t) => {
    const app = await startTestApp(t, "sqlite", { trusted_proxies: ["10.0.0.0/8", "::1"] });
    const token = await newToken(app, { in: ["192.0.2.1/32", "10.0.0.1/32"] });
    for (const header of ["192.0.2.1", "192.0.2.1, 10.0.0.1"]) {
      const headers = { ...token, "x-forwarded-for": header };
      await assertUse(app, headers, { address: "127.0.0.1", allowed: false });
    }
  });

  test("knows an IPv4 client of a socket that serves both families", async (t: TestContext) => {
    const app = await startTestApp(t, "sqlite", { host: "::" });
    const baseUrl = app.baseUrl.replace("[::]", "127.0.0.1");
    const token = await newToken(app, { in: ["127.0.0.0/8"] });
    const ask = (headers: Record<string, string>) => fetch(`${baseUrl}/zones`, { headers });
    assert.equal((await ask(token)).status, 200);
    const refused = await ask(await newToken(app, { not_in: ["127.0.0.1/32"] }));
    assert.equal(refused.status, 403);
    const { errors } = (await refused.json()) as { errors: readonly { message: string }[] };
    assert.equal(errors[0]?.message, "Cannot use the access token from location: 127.0.0.1");
  });
});
