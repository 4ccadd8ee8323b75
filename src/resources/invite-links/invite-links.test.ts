import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { openBrowser, password, type TestBrowser } from "../../../test/support/browser.ts";
import {
  type Engine,
  onComparedEngines,
  ownerEmail,
  startTestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addUser, storedRows, type TestUser } from "../../../test/support/store.ts";
import type { Config } from "../../config/settings.ts";

const dns = "f0a6c7b1d5e48f60db5c9d0e1f2a3b45";
const billing = "d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23";
const accountSettingsWrite = "1af1fa2adc104452b74a9a3364202f20";
const week = 7 * 24 * 60 * 60 * 1_000;
const email = "dora@example.com";

async function start(t: TestContext, engine: Engine, settings: Partial<Config> = { invite_links: "owner" }) {
  const app = await startTestApp(t, engine, settings);
  const members = `/accounts/${app.owner.accountId}/members`;
  const invite = async (roles: readonly string[] = [dns], to = email): Promise<string> => {
    const sent = await app.request("POST", members, { body: { email: to, roles } });
    assert.equal(sent.status, 200, sent.text);
    return sent.body.result.id;
  };
  const link = (id: string, user?: TestUser) =>
    app.request("POST", `${members}/${id}/invite_link`, { ...(user && { headers: user.headers }) });
  const tokenOf = async (id: string, user?: TestUser): Promise<string> => {
    const made = await link(id, user);
    assert.equal(made.status, 200, made.text);
    return made.body.result.token;
  };
  const view = (token: string) => openBrowser(app).request("POST", "/session/invite", { body: { token } });
  const join = (token: string, browser: TestBrowser = openBrowser(app), chosen: string = password) =>
    browser.request("POST", "/session/invite/join", { body: { token, password: chosen } });
  /** Shows that both refuse a token in the same way, and that nothing changes. */
  const assertUseless = async (token: string, why: string): Promise<void> => {
    const before = await storedRows(app);
    for (const answer of [await view(token), await join(token)]) {
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [403, 10412], why);
      assert.equal(answer.headers.get("set-cookie"), null);
    }
    assert.deepEqual(await storedRows(app), before, why);
  };
  return { app, members, invite, link, tokenOf, view, join, assertUseless };
}

onComparedEngines("the link of an invite", (engine) => {
  test("makes its user a member with a password, signed in, and both logs tell of it", async (t) => {
    const { app, invite, tokenOf, view, join, members } = await start(t, engine);
    const id = await invite();
    const token = await tokenOf(id);
    assert.match(token, /^[\w-]{43}$/);
    assert.equal(JSON.stringify(await storedRows(app)).includes(token), false);
    const shown = await view(token);
    assert.deepEqual(shown.body.result, {
      email,
      account_name: "Zoneward",
      invited_by: ownerEmail,
      expires_on: "2026-01-09T03:04:05.678000Z",
    });

    const browser = openBrowser(app);
    const joined = await join(token, browser);
    assert.equal(joined.status, 200, joined.text);
    assert.equal(joined.body.result.user.email, email);
    const accounts = (await browser.api("GET", "/accounts")).body.result as { id: string }[];
    assert.deepEqual(
      accounts.map((account) => account.id),
      [app.owner.accountId],
    );
    const member = (await app.request("GET", `${members}/${id}`)).body.result;
    assert.deepEqual([member.status, member.user.id], ["accepted", joined.body.result.user.id]);
    assert.deepEqual(
      member.roles.map((role: { id: string }) => role.id),
      [dns],
    );

    const types = (answer: Awaited<ReturnType<TestBrowser["api"]>>): string[] =>
      answer.body.result.map(({ action }: { action: { type: string } }) => action.type).toSorted();
    assert.deepEqual(types(await browser.api("GET", "/user/audit_logs")), [
      "invite_accept",
      "password_set",
      "user_create",
    ]);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs`);
    assert.deepEqual(types(log), ["invite_accept", "invite_link_create", "invite_send"]);
    assert.equal(log.body.result[0].actor.email, email);

    const again = openBrowser(app);
    const signedIn = await again.request("POST", "/session", { body: { email, password } });
    assert.equal(signedIn.status, 200, signedIn.text);
    const user = await addUser(app, "later@example.com");
    assert.equal((await app.request("GET", "/user", { headers: user.headers })).status, 200);
  });

  testOnEachEngine("is used once, also by two at the same time", async (t, either) => {
    const { app, invite, tokenOf, join, assertUseless } = await start(t, either);
    const token = await tokenOf(await invite());
    const answers = await Promise.all([join(token), join(token, openBrowser(app), "another password")]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 403]));
    await assertUseless(token, "used");
  });

  test("is of no use once it was replaced, its invite changed, withdrawn, answered or over", async (t) => {
    const { app, members, invite, link, tokenOf, assertUseless } = await start(t, engine);
    const first = await invite();
    const replaced = await tokenOf(first);
    const changed = await tokenOf(first);
    await assertUseless(replaced, "replaced");
    await app.request("PUT", `${members}/${first}`, { body: { roles: [dns, billing] } });
    await assertUseless(changed, "changed");
    const withdrawn = await tokenOf(first);
    await app.request("DELETE", `${members}/${first}`);
    await assertUseless(withdrawn, "withdrawn");

    const rejected = await invite();
    const answered = await tokenOf(rejected);
    const dora = await addUser(app, email.toUpperCase());
    await assertUseless(answered, "there is a user");
    const refused = await link(rejected);
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1004]);
    await app.request("PATCH", `/user/invites/${rejected}`, {
      headers: dora.headers,
      body: { status: "rejected" },
    });
    assert.deepEqual((await link(rejected)).body.errors[0]?.code, 1006);
    await assertUseless(answered, "rejected");

    const late = await invite([dns], "late@example.com");
    const expired = await tokenOf(late);
    app.advance(week);
    await assertUseless(expired, "expired");
    assert.deepEqual((await link(late)).body.errors[0]?.code, 1007);
    await assertUseless("A".repeat(43), "made up");
  });

  test("stays good after a password that is too short, and joining ends the browser's session", async (t) => {
    const { app, invite, tokenOf, join } = await start(t, engine);
    const token = await tokenOf(await invite());
    const short = await join(token, openBrowser(app), "elevenchars");
    assert.deepEqual(
      [short.status, short.body.errors[0]?.code, short.body.errors[0]?.source?.pointer],
      [400, 1003, "/password"],
    );
    const other = await tokenOf(await invite([dns], "eve@example.com"));
    const browser = openBrowser(app);
    assert.equal((await join(other, browser)).status, 200);
    const { cookie } = browser;
    assert.equal((await join(token, browser)).status, 200);
    const ended = await openBrowser(app, cookie).request("GET", "/session");
    assert.equal(ended.status, 401);
  });

  test("gives no more than whoever made it may give when it is used", async (t) => {
    const { app, members, invite, link, tokenOf, join } = await start(t, engine, { invite_links: "members" });
    const manager = await addUser(app, "manager@example.com", {
      account: app.owner.accountId,
      role: "Super Administrator - All Privileges",
    });
    const id = await invite([dns, billing]);
    const token = await tokenOf(id, manager);
    const listed = (await app.request("GET", members)).body.result as { id: string; email: string }[];
    const managerId = listed.find((member) => member.email === manager.email)?.id ?? assert.fail();
    const settingsOnly = {
      access: "allow",
      permission_groups: [{ id: accountSettingsWrite }],
      resource_groups: [{ id: app.owner.accountId }],
    };
    const reduced = await app.request("PUT", `${members}/${managerId}`, {
      body: { policies: [settingsOnly] },
    });
    assert.equal(reduced.status, 200, reduced.text);

    const before = await storedRows(app);
    for (const answer of [await join(token), await link(id, manager)]) {
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [403, 9109], answer.text);
      assert.equal(answer.headers.get("set-cookie"), null);
    }
    assert.deepEqual(await storedRows(app), before);
    assert.equal((await join(await tokenOf(id))).status, 200);
  });

  test("is made by those whom the setting names, and of no use where it is off", async (t) => {
    const { app, invite, link, tokenOf, assertUseless } = await start(t, engine);
    const manager = await addUser(app, "manager@example.com", {
      account: app.owner.accountId,
      role: "Super Administrator - All Privileges",
    });
    const id = await invite();
    const refused = await link(id, manager);
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [403, 1011], refused.text);
    const token = await tokenOf(id);
    Object.assign(app.config, { invite_links: "nobody" });
    await app.restart();
    await assertUseless(token, "off");
    const off = await link(id);
    assert.deepEqual([off.status, off.body.errors[0]?.code], [403, 1011], off.text);
  });
});
