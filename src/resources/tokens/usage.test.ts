import assert from "node:assert/strict";
import { test } from "node:test";

import { account } from "../../core/policy/permission-groups.ts";
import { allow, keys } from "../../../test/authorization/world.ts";
import {
  byKey,
  onEachEngine,
  startOfTime,
  startTestApp,
  type TestApp,
} from "../../../test/support/harness.ts";
import { besideServer, openStore } from "../../../test/support/store.ts";
import { bearer, policy } from "../../../test/support/token-api.ts";
import { noteTokenUse, saveTokenUse, type TokenUse } from "./token-use.ts";

const dayMs = 86_400_000;

interface Usage {
  readonly days: readonly { readonly date: string; readonly requests: number }[];
}

/** All days, as an owner reads them who carries no token. */
async function usageOf(app: TestApp, token: string): Promise<Usage["days"]> {
  const { status, body, text } = await app.request("GET", `${token}/usage`, { headers: byKey });
  assert.equal(status, 200, text);
  return (body.result as Usage).days;
}

/** The days with requests. */
async function usedDays(app: TestApp, token: string): Promise<Record<string, number>> {
  const days = await usageOf(app, token);
  return Object.fromEntries(
    days.filter(({ requests }) => requests > 0).map((day) => [day.date, day.requests]),
  );
}

async function makeToken(app: TestApp, tokens: string, policies: readonly object[] = [policy({})]) {
  const { body, text } = await app.request("POST", tokens, { body: { name: "counted", policies } });
  assert.ok(body.success, text);
  const { id, value } = body.result as { id: string; value: string };
  return { id, path: `${tokens}/${id}`, headers: bearer(value) };
}

onEachEngine("the use of a token", (engine) => {
  test("is counted for each day, on tokens of users and of accounts, refused requests included", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const ofUser = await makeToken(app, "/user/tokens");
    const ofAccount = await makeToken(app, `/accounts/${accountId}/tokens`, [
      allow(keys.account(accountId), account("Account Settings Read")),
    ]);
    const get = (path: string, headers: Record<string, string>) => app.request("GET", path, { headers });
    assert.equal((await get("/zones", ofUser.headers)).status, 200);
    assert.equal((await get(`/accounts/${accountId}`, ofUser.headers)).status, 403);
    assert.equal((await get("/user/tokens/verify", ofUser.headers)).status, 200);
    assert.equal((await get(`/accounts/${accountId}`, ofAccount.headers)).status, 200);
    assert.deepEqual(await usedDays(app, ofUser.path), {});
    await app.restart();
    assert.deepEqual(await usedDays(app, ofUser.path), { "2026-01-02": 3 });
    assert.deepEqual(await usedDays(app, ofAccount.path), { "2026-01-02": 1 });

    await get("/zones", ofUser.headers);
    app.advance(dayMs);
    for (let request = 0; request < 3; request += 1) await get("/zones", ofUser.headers);
    await app.restart();
    assert.deepEqual(await usedDays(app, ofUser.path), { "2026-01-02": 4, "2026-01-03": 3 });
    assert.deepEqual(await usedDays(app, ofAccount.path), { "2026-01-02": 1 });
    const last = await app.request("GET", ofUser.path);
    assert.equal(last.body.result.last_used_on, "2026-01-03T03:04:05Z");
  });

  test("is told of the last 30 days, 0 included, and earlier days are deleted", async (t) => {
    const app = await startTestApp(t, engine);
    const { path, headers } = await makeToken(app, "/user/tokens");
    await app.request("GET", "/zones", { headers });
    await app.restart();
    app.advance(29 * dayMs);
    const days = await usageOf(app, path);
    assert.equal(days.length, 30);
    assert.deepEqual(days[0], { date: "2026-01-02", requests: 1 });
    assert.deepEqual(days.at(-1), { date: "2026-01-31", requests: 0 });
    app.advance(dayMs);
    assert.deepEqual(await usedDays(app, path), {});
    await app.request("GET", "/zones", { headers });
    await app.restart();
    assert.deepEqual(await usedDays(app, path), { "2026-02-01": 1 });
    const stored = await besideServer(app, (tx) => tx.selectFrom("token_usage").select("day").execute());
    assert.deepEqual([...new Set(stored.map(({ day }) => day))], ["2026-02-01"]);
  });

  test("is forgotten with the token, even if it is deleted before its last requests are stored", async (t) => {
    const app = await startTestApp(t, engine);
    const [early, late] = [await makeToken(app, "/user/tokens"), await makeToken(app, "/user/tokens")];
    const rowsOf = async (...ids: string[]) =>
      besideServer(app, (tx) =>
        tx.selectFrom("token_usage").selectAll().where("token_id", "in", ids).execute(),
      );
    await app.request("GET", "/zones", { headers: early.headers });
    await app.restart();
    assert.equal((await rowsOf(early.id)).length, 1);
    await app.request("GET", "/zones", { headers: late.headers });
    for (const { path } of [early, late]) assert.equal((await app.request("DELETE", path)).status, 200);
    await app.restart();
    assert.deepEqual(await rowsOf(early.id, late.id), []);
    assert.equal((await app.request("GET", `${early.path}/usage`)).status, 404);
  });

  test("is read only by who may read the token, where it belongs", async (t) => {
    const app = await startTestApp(t, engine);
    const accountTokens = `/accounts/${app.owner.accountId}/tokens`;
    const { id, path, headers } = await makeToken(app, "/user/tokens");
    const refused = await app.request("GET", `${path}/usage`, { headers });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.errors[0]?.code, 9109);
    const elsewhere = await app.request("GET", `${accountTokens}/${id}/usage`);
    assert.equal(elsewhere.status, 404);
    assert.equal(elsewhere.body.errors[0]?.code, 1003);
  });

  test("is added up over instances, and kept while the store fails", async (t) => {
    const app = await startTestApp(t, engine);
    const { id, path } = await makeToken(app, "/user/tokens");
    const db = await openStore(t, app);
    const context = { db, now: () => startOfTime };
    const [one, other]: readonly TokenUse[] = [new Map(), new Map()];
    assert.ok(one && other);
    const note = (use: TokenUse, requests: number) =>
      noteTokenUse(use, id, { usedOn: startOfTime, requests });
    note(one, 2);
    note(other, 3);
    const renameTable = (from: string, to: string) =>
      besideServer(app, (tx) => tx.schema.alterTable(from).renameTo(to).execute());
    await renameTable("token_usage", "elsewhere");
    await assert.rejects(saveTokenUse(context, one));
    await renameTable("elsewhere", "token_usage");
    assert.deepEqual(await usedDays(app, path), {});
    note(one, 1);
    await saveTokenUse(context, one);
    await saveTokenUse(context, other);
    await saveTokenUse(context, one);
    assert.deepEqual(await usedDays(app, path), { "2026-01-02": 6 });
  });

  test("of more tokens than a statement can name is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const { id, path } = await makeToken(app, "/user/tokens");
    const use: TokenUse = new Map();
    const noteUnknown = (place: number) =>
      noteTokenUse(use, `unknown ${place}`, { usedOn: startOfTime, requests: 1 });
    for (let place = 0; place < 1_000; place += 1) noteUnknown(place);
    noteTokenUse(use, id, { usedOn: startOfTime, requests: 7 });
    await saveTokenUse({ db: await openStore(t, app), now: () => startOfTime }, use);
    assert.deepEqual(await usedDays(app, path), { "2026-01-02": 7 });
  });
});
