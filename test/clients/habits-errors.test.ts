import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../support/dns-zone.ts";
import { byKey, byToken, onComparedEngines, ownerKey, type RequestOptions } from "../support/harness.ts";

const unknownId = "0".repeat(32);
const otherToken = "t".repeat(40);
const otherKey = "f".repeat(37);

/** A request that is refused, and the status and codes that clients tell the reason by. */
interface Refusal {
  readonly why: string;
  readonly method: string;
  readonly path: string;
  readonly sent: RequestOptions;
  readonly status: number;
  readonly code: number;
  /** Codes of `error_chain`. */
  readonly chain?: readonly number[];
}

/** The refusals of a zone `example.com` that has an A record `www`. */
function refusalsOf(zone: DnsZone): Refusal[] {
  const records = `/zones/${zone.id}/dns_records`;
  const www = { type: "A", name: "www", content: "192.0.2.1" };
  return [
    { why: "no credentials", ...get("/zones", { headers: {} }), status: 400, code: 9106 },
    { why: "half a token", ...get("/zones", as("Bearer short")), status: 400, code: 6003, chain: [6111] },
    { why: "a token alone", ...get("/zones", as(otherToken)), status: 400, code: 6003, chain: [6111] },
    {
      why: "half a key",
      ...get("/zones", { headers: { ...byKey, "x-auth-key": "short" } }),
      status: 400,
      code: 6003,
      chain: [6103],
    },
    {
      why: "no e-mail address",
      ...get("/zones", { headers: { "x-auth-email": "owner", "x-auth-key": "short" } }),
      status: 400,
      code: 6003,
      chain: [6102, 6103],
    },
    { why: "a wrong token", ...get("/zones", as(`Bearer ${otherToken}`)), status: 403, code: 9109 },
    {
      why: "a wrong key",
      ...get("/zones", { headers: { ...byKey, "x-auth-key": otherKey } }),
      status: 403,
      code: 9103,
    },
    {
      why: "the key of another e-mail address",
      ...get("/zones", { headers: { ...byKey, "x-auth-email": "other@example.com" } }),
      status: 403,
      code: 9103,
    },
    {
      why: "a wrong token that asks what it is",
      ...get("/user/tokens/verify", as(`Bearer ${otherToken}`)),
      status: 401,
      code: 1000,
    },
    {
      why: "a key that asks what it is",
      ...get("/user/tokens/verify", { headers: byKey }),
      status: 400,
      code: 1001,
    },
    { why: "no such path", ...get("/nothing"), status: 400, code: 7000 },
    {
      why: "no such path, without credentials",
      ...get("/nothing", { headers: {} }),
      status: 400,
      code: 7000,
    },
    { why: "no such zone", ...get(`/zones/${unknownId}`), status: 404, code: 1001 },
    { why: "no such account", ...get(`/accounts/${unknownId}`), status: 404, code: 1001 },
    { why: "no such record", ...get(`${records}/${unknownId}`), status: 404, code: 81044 },
    { why: "a name instead of an id", ...get("/zones/example.com"), status: 404, code: 7003 },
    { why: "no such method", ...post("/user", {}), status: 405, code: 10405 },
    { why: "broken JSON", ...post("/zones", {}), sent: { rawBody: "{" }, status: 400, code: 6007 },
    { why: "a zone that exists", ...post("/zones", { name: zone.name }), status: 400, code: 1061 },
    { why: "a record that exists", ...post(records, www), status: 400, code: 81058, chain: [81058] },
    {
      why: "an alias beside an address",
      ...post(records, { type: "CNAME", name: "www", content: "example.net" }),
      status: 400,
      code: 81053,
      chain: [81053],
    },
    {
      why: "no address",
      ...post(records, { ...www, content: "nowhere" }),
      status: 400,
      code: 9005,
      chain: [9005],
    },
    { why: "no type", ...post(records, { ...www, type: "SPF" }), status: 400, code: 9002, chain: [9002] },
    { why: "a wrong TTL", ...post(records, { ...www, ttl: 5 }), status: 400, code: 9021, chain: [9021] },
    { why: "a wrong page", ...get("/zones?page=0"), status: 400, code: 1003 },
  ];
}

function get(path: string, sent: RequestOptions = {}) {
  return { method: "GET", path, sent };
}

function post(path: string, body: unknown) {
  return { method: "POST", path, sent: { body } };
}

function as(authorization: string): RequestOptions {
  return { headers: { authorization } };
}

onComparedEngines("habits of clients with errors", (engine) => {
  const app = shareApp(engine);

  /** A zone of which every refusal holds. */
  const prepare = async (t: Parameters<typeof createDnsZone>[0]): Promise<readonly [DnsZone, Refusal[]]> => {
    const zone = await createDnsZone(t, app());
    await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    return [zone, refusalsOf(zone)];
  };

  test("codes, statuses and chains that certbot, Terraform, Python and Perl clients compare", async (t) => {
    const [zone, refusals] = await prepare(t);
    for (const { why, method, path, sent, status, code, chain } of refusals) {
      const answer = await app().request(method, path, sent);
      const [error, ...others] = answer.body.errors;
      assert.deepEqual([answer.status, error?.code, others], [status, code, []], why);
      assert.deepEqual(
        error?.error_chain?.map((link) => link.code),
        chain,
        why,
      );
    }
    assert.equal((await zone.list()).length, 1);
  });

  test("integer codes, texts, lists and a null result, which Go clients decode into their types", async (t) => {
    const [, refusals] = await prepare(t);
    for (const { why, method, path, sent } of refusals) {
      const { body, headers } = await app().request(method, path, sent);
      assert.deepEqual(Object.keys(body).toSorted(), ["errors", "messages", "result", "success"], why);
      assert.deepEqual([body.result, body.success, body.messages], [null, false, []], why);
      for (const error of body.errors.flatMap((one) => [one].concat(one.error_chain ?? []))) {
        assert.ok(Number.isInteger(error.code) && error.message.length > 0, why);
      }
      assert.match(headers.get("cf-ray") ?? "", /^[0-9a-f]{16}-[A-Z]{3}$/, why);
    }
  });

  test("no 408, 409, 429 or 5xx, after which SDKs send a request again", async (t) => {
    const [, refusals] = await prepare(t);
    for (const { why, method, path, sent } of refusals) {
      const { status, headers } = await app().request(method, path, sent);
      assert.ok(status < 500 && ![408, 409, 429].includes(status), why);
      assert.deepEqual([headers.get("retry-after"), headers.get("x-should-retry")], [null, null], why);
    }
  });

  test("`already exist`, after which Terraform with allow_overwrite looks for the record and changes it", async (t) => {
    const zone = await createDnsZone(t, app());
    await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    await zone.create({ type: "CNAME", name: "alias", content: "example.net" });
    await zone.create({ type: "NS", name: "below", content: "ns.example.net" });
    const inTheWay = [
      { type: "A", name: "www", content: "192.0.2.1" },
      { type: "CNAME", name: "www", content: "example.net" },
      { type: "CNAME", name: "alias", content: "example.org" },
      { type: "AAAA", name: "alias", content: "2001:db8::1" },
      { type: "NS", name: "www", content: "ns.example.net" },
      { type: "TXT", name: "below", content: "a text" },
    ];
    for (const body of inTheWay) {
      const { status, body: answer } = await zone.send("POST", "", body);
      assert.equal(status, 400);
      assert.match(answer.errors[0]?.message ?? "", /already exist/, JSON.stringify(body));
    }
    const [existing] = await zone.list({ name: "www.example.com", type: "A" });
    const change = { type: "A", name: "www", content: "192.0.2.1", ttl: 300, proxied: false, tags: null };
    const changed = await zone.send("PATCH", `/${existing?.id}`, change);
    assert.deepEqual([changed.status, changed.body.result.ttl], [200, 300]);
  });

  test("404 for whatever is gone, which Terraform takes out of its state", async (t) => {
    const zone = await createDnsZone(t, app());
    const { id } = await zone.create({ type: "A", name: "www", content: "192.0.2.1" });
    const record = `/zones/${zone.id}/dns_records/${id}`;
    await app().request("DELETE", record);
    const requests = ["GET", "PUT", "PATCH", "DELETE"].map((method) => [method, record] as const);
    const ofGoneZone = [record, `/zones/${zone.id}`, `/zones/${zone.id}/dns_records`];
    const body = { type: "A", name: "www", content: "192.0.2.1" };
    const isGone = async (method: string, path: string): Promise<void> => {
      const { status } = await app().request(method, path, method.startsWith("P") ? { body } : {});
      assert.equal(status, 404, `${method} ${path}`);
    };
    for (const [method, path] of requests) await isGone(method, path);
    await app().request("DELETE", `/zones/${zone.id}`);
    for (const path of ofGoneZone) await isGone("GET", path);
  });

  test("every credential that the environment has, which the TypeScript SDK sends together", async () => {
    const together = { ...byToken, ...byKey, "x-auth-user-service-key": "v1.0-0123456789abcdef" };
    const stainless = {
      "x-stainless-lang": "js",
      "x-stainless-retry-count": "0",
      "api-version": "2026-01-01",
    };
    const cases = [
      [{ ...together, ...stainless }, 200, undefined],
      [{ ...together, "x-auth-key": "short" }, 400, 6003],
      [{ ...together, "x-auth-key": otherKey }, 403, 9103],
      [{ ...together, authorization: `Bearer ${otherToken}` }, 403, 9109],
      [{ "x-auth-user-service-key": together["x-auth-user-service-key"] }, 400, 9106],
    ] as const;
    for (const [headers, status, code] of cases) {
      const answer = await app().request("GET", "/user", { headers });
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code]);
    }
  });

  test("no answer repeats what a body holds: one client puts its token into records", async (t) => {
    const zone = await createDnsZone(t, app());
    const secret = `secret-${ownerKey}`;
    const bodies: readonly RequestOptions[] = [
      { body: { type: "A", name: "www", content: secret } },
      { body: { type: "A", name: `${secret}..`, content: "192.0.2.1" } },
      { body: { type: secret, name: "www", content: "192.0.2.1" } },
      { body: { type: "SRV", name: "_a._tcp", data: { priority: secret, [secret]: 1 } } },
      { body: { type: "TXT", name: "www", content: `"${secret}` } },
      { body: { type: "A", name: "www", content: "192.0.2.1", ttl: secret, comment: [secret] } },
      { body: { type: "A", name: "www", content: "192.0.2.1", tags: [`${secret} :`], proxied: secret } },
      { body: [secret] },
      { rawBody: `{"content":"${secret}"` },
      { rawBody: secret },
    ];
    for (const sent of bodies) {
      const answer = await app().request("POST", `/zones/${zone.id}/dns_records`, sent);
      assert.equal(answer.status, 400, answer.text);
      assert.ok(!answer.text.includes(secret), answer.text);
      assert.ok(![...answer.headers.values()].some((value) => value.includes(secret)));
    }
    assert.deepEqual(await zone.list(), []);
  });
});
