import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  byKey,
  byToken,
  onComparedEngines,
  ownerEmail,
  ownerKey,
  ownerToken,
  startTestApp,
  until,
  type TestApp,
} from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { hashSecret } from "../../secrets/secrets.ts";

const unknownToken = "x".repeat(40);
const unknownKey = "f".repeat(37);

const missing = [9106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers"] as const;
const malformed = [6003, "Invalid request headers"] as const;
const authorization = { code: 6111, message: "Invalid format for Authorization header" };
const email = { code: 6102, message: "Invalid format for X-Auth-Email header" };
const key = { code: 6103, message: "Invalid format for X-Auth-Key header" };
const unknownPair = [9103, "Unknown X-Auth-Key or X-Auth-Email"] as const;
const invalidToken = [9109, "Invalid access token"] as const;

interface Refusal {
  readonly title: string;
  readonly headers: Record<string, string>;
  readonly status: number;
  readonly error: readonly [code: number, message: string];
  readonly chain?: readonly { code: number; message: string }[];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const pair = (address: string, secret: string) => ({ "x-auth-email": address, "x-auth-key": secret });

const refusals: readonly Refusal[] = [
  { title: "nothing", headers: {}, status: 400, error: missing },
  { title: "an e-mail alone", headers: { "x-auth-email": ownerEmail }, status: 400, error: missing },
  { title: "a key alone", headers: { "x-auth-key": ownerKey }, status: 400, error: missing },
  {
    title: "a service key",
    headers: { "x-auth-user-service-key": `v1.0-${"a".repeat(40)}` },
    status: 400,
    error: missing,
  },
  { title: "a cookie", headers: { cookie: `token=${ownerToken}` }, status: 400, error: missing },

  ...[
    ["an empty Authorization", ""],
    ["another scheme", `Basic ${ownerToken}`],
    ["a token without its scheme", ownerToken],
    ["a scheme without its token", "Bearer"],
    ["a token of 39 characters", `Bearer ${"x".repeat(39)}`],
    ["a token of 81 characters", `Bearer ${"x".repeat(81)}`],
    ["a token with a stop", `Bearer ${"x".repeat(39)}.`],
    ["a token in quotes", `Bearer "${ownerToken}"`],
    ["two tokens", `Bearer ${ownerToken} ${ownerToken}`],
    ["no space", `Bearer${ownerToken}`],
  ].map(([title = "", value = ""]) => ({
    title,
    headers: { authorization: value },
    status: 400,
    error: malformed,
    chain: [authorization],
  })),

  ...[
    ["an e-mail without @", "owner.example.com"],
    ["an e-mail with two @", "owner@@example.com"],
    ["an empty e-mail", ""],
    ["an e-mail with a space", "own er@example.com"],
  ].map(([title = "", value = ""]) => ({
    title,
    headers: pair(value, ownerKey),
    status: 400,
    error: malformed,
    chain: [email],
  })),
  ...[
    ["a key of 36 characters", "f".repeat(36)],
    ["a key of 46 characters", "f".repeat(46)],
    ["a key in upper case", ownerKey.toUpperCase()],
    ["an empty key", ""],
  ].map(([title = "", value = ""]) => ({
    title,
    headers: pair(ownerEmail, value),
    status: 400,
    error: malformed,
    chain: [key],
  })),
  {
    title: "a malformed pair",
    headers: pair("owner", "key"),
    status: 400,
    error: malformed,
    chain: [email, key],
  },
  {
    title: "everything malformed",
    headers: { ...pair("owner", "key"), authorization: "Bearer x" },
    status: 400,
    error: malformed,
    chain: [authorization, email, key],
  },
  {
    title: "a good token with a malformed key",
    headers: { ...byToken, ...pair(ownerEmail, "key") },
    status: 400,
    error: malformed,
    chain: [key],
  },
  {
    title: "a good pair with a malformed token",
    headers: { ...byKey, authorization: "Bearer x" },
    status: 400,
    error: malformed,
    chain: [authorization],
  },

  { title: "a wrong key", headers: pair(ownerEmail, unknownKey), status: 403, error: unknownPair },
  { title: "a wrong e-mail", headers: pair("other@example.com", ownerKey), status: 403, error: unknownPair },
  {
    title: "a good token with a wrong pair",
    headers: { ...byToken, ...pair(ownerEmail, unknownKey) },
    status: 403,
    error: unknownPair,
  },
  { title: "an unknown token", headers: bearer(unknownToken), status: 403, error: invalidToken },
  {
    title: "an unknown token of the new form",
    headers: bearer(`cfut_${"y".repeat(48)}`),
    status: 403,
    error: invalidToken,
  },
  {
    title: "a token in another case",
    headers: bearer(ownerToken.toUpperCase()),
    status: 403,
    error: invalidToken,
  },
  { title: "the key as a token", headers: bearer(`${ownerKey}000`), status: 403, error: invalidToken },
  {
    title: "a good pair with an unknown token",
    headers: { ...byKey, ...bearer(unknownToken) },
    status: 403,
    error: invalidToken,
  },
];

onComparedEngines("authentication", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("bad credentials are refused by status, code and message, and nothing is stored", async (t) => {
    for (const { title, headers, status, error, chain } of refusals)
      await t.test(title, async () => {
        const create = { headers, body: { name: "example.com" } };
        for (const answer of [
          await app.request("POST", "/zones", create),
          await app.request("GET", "/user", { headers }),
        ]) {
          assert.equal(answer.status, status, title);
          const [code, message] = error;
          const expected = { code, message, ...(chain && { error_chain: chain }) };
          assert.equal(
            answer.text,
            JSON.stringify({ success: false, errors: [expected], messages: [], result: null }),
            title,
          );
        }
      });
    assert.equal((await app.request("GET", "/zones")).body.result_info?.total_count, 0);
  });

  test("good credentials act as their user, in every spelling that clients use", async () => {
    const spellings: readonly (readonly [string, Record<string, string>])[] = [
      ["the pair", byKey],
      ["an e-mail in another case", pair("OWNER@Example.COM", ownerKey)],
      ["the token", byToken],
      ["bearer in lower case", { authorization: `bearer ${ownerToken}` }],
      ["bearer in upper case", { authorization: `BEARER ${ownerToken}` }],
      ["more than one space", { authorization: `Bearer   ${ownerToken}  ` }],
      ["both schemes", { ...byKey, ...byToken }],
      ["a token beside an e-mail alone", { ...byToken, "x-auth-email": "owner" }],
      ["a token beside a key alone", { ...byToken, "x-auth-key": "key" }],
    ];
    for (const [title, headers] of spellings) {
      const { status, body } = await app.request("GET", "/user", { headers });
      assert.equal(status, 200, title);
      assert.equal(body.result.id, app.owner.userId, title);
    }
  });

  test("no secret is stored in clear", async () => {
    const rows = await besideServer(app, async (tx) => [
      ...(await tx.selectFrom("users").selectAll().execute()),
      ...(await tx.selectFrom("tokens").selectAll().execute()),
    ]);
    assert.equal(rows.length, 2);
    for (const secret of [ownerKey, ownerToken]) assert.ok(!JSON.stringify(rows).includes(secret));
  });
});

onComparedEngines("authentication over time", (engine) => {
  test("a refusal is remembered by nobody: the same secret is good once it is somebody's", async (t) => {
    const app = await startTestApp(t, engine);
    const headers = bearer(unknownToken);
    assert.equal((await app.request("GET", "/user", { headers })).status, 403);
    await besideServer(app, async (tx) => {
      const token = await tx.selectFrom("tokens").selectAll().executeTakeFirstOrThrow();
      await tx
        .insertInto("tokens")
        .values({ ...token, id: "0".repeat(32), name: "another", secret_hash: hashSecret(unknownToken) })
        .execute();
    });
    assert.equal((await app.request("GET", "/user", { headers })).status, 200);
  });

  test("a token that another process disables is refused soon", async (t) => {
    const app = await startTestApp(t, engine);
    assert.equal((await app.request("GET", "/zones")).status, 200);
    await besideServer(app, (tx) => tx.updateTable("tokens").set({ status: "disabled" }).execute());

    await until("the token is refused", async () => (await app.request("GET", "/zones")).status !== 200);
    const answer = await app.request("GET", "/zones");
    assert.equal(answer.status, 403);
    assert.equal(answer.body.errors[0]?.code, 9109);
    assert.equal((await app.request("GET", "/user/tokens/verify")).status, 401);
    assert.equal((await app.request("GET", "/zones", { headers: byKey })).status, 200);
  });

  test("the secrets that a later start presets take the place of the earlier ones", async (t) => {
    const first = await startTestApp(t, engine);
    await first.close();
    const { data, database } = first.config;
    const presets = { owner_key: unknownKey, owner_token: unknownToken };
    const app = await startTestApp(t, engine, { data, database, ...presets });
    const cases: readonly (readonly [Record<string, string>, number, number?])[] = [
      [byKey, 403, 9103],
      [byToken, 403, 9109],
      [pair(ownerEmail, unknownKey), 200],
      [bearer(unknownToken), 200],
    ];
    for (const [headers, status, code] of cases) {
      const answer = await app.request("GET", "/user", { headers });
      assert.equal(answer.status, status);
      assert.equal(answer.body.errors[0]?.code, code);
    }
    assert.equal(app.owner.userId, first.owner.userId);
    assert.equal(app.owner.accountId, first.owner.accountId);
  });
});
