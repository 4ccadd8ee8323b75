import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { openBrowser, type TestBrowser } from "../../../test/support/browser.ts";
import { onComparedEngines, ownerEmail, startTestApp, type Engine } from "../../../test/support/harness.ts";
import { startProvider } from "../../../test/support/openid-provider.ts";
import { startScriptedProvider, type ScriptedAnswers } from "../../../test/support/scripted-provider.ts";
import { addUser, storedRows } from "../../../test/support/store.ts";
import type { Config } from "../../config/settings.ts";

const publicUrl = "https://zones.example.com";
const callback = `${publicUrl}/single-sign-on`;

async function start(t: TestContext, engine: Engine, settings: Partial<Config> = {}) {
  const provider = await startProvider(t, callback);
  const app = await startTestApp(t, engine, {
    public_url: publicUrl,
    oidc_issuer: provider.issuer,
    oidc_client_id: provider.clientId,
    oidc_client_secret: provider.clientSecret,
    ...settings,
  });
  // The owner is the first user of the store.
  app.advance(1);
  const say = (login: string, claims: object) => void provider.users.set(login, claims);
  const begin = async (browser: TestBrowser) => {
    const started = await browser.request("POST", "/session/single_sign_on");
    assert.equal(started.status, 200, started.text);
    return started.body.result as { url: string; secret: string };
  };
  const finish = (browser: TestBrowser, body: object) =>
    browser.request("POST", "/session/single_sign_on/finish", { body });
  /** Signs in at the provider, and answers what became of it here. */
  const signOn = async (login: string, browser = openBrowser(app)) => {
    const { url, secret } = await begin(browser);
    const answer = await finish(browser, { secret, url: await provider.signIn(url, login) });
    return { browser, answer, outcome: [answer.status, answer.body.errors[0]?.code] };
  };
  return { app, provider, say, begin, finish, signOn };
}

const rolesOf = async (browser: TestBrowser): Promise<string[]> =>
  (await browser.api("GET", "/memberships")).body.result[0]?.roles ?? [];

onComparedEngines("single sign-on", (engine) => {
  test("a user is found by the verified e-mail address, and has a session that is audited", async (t) => {
    const { app, say, signOn } = await start(t, engine, { oidc_label: "Example Ltd" });
    const methods = await openBrowser(app).request("GET", "/session/methods");
    assert.deepEqual(methods.body.result, { single_sign_on: { label: "Example Ltd" } });
    say("owner", { email: ownerEmail.toUpperCase(), email_verified: true });
    const { browser, answer } = await signOn("owner");
    assert.equal(answer.body.result.user.email, ownerEmail, answer.text);
    assert.equal((await browser.api("GET", "/zones")).status, 200);
    const log = await app.request("GET", "/user/audit_logs?action.type=single_sign_on");
    assert.equal(log.body.result.length, 1);
  });

  test("an unverified address, and one that nobody has, do not come in, and nothing is stored", async (t) => {
    const { app, say, signOn } = await start(t, engine);
    say("liar", { email: ownerEmail, email_verified: false });
    say("silent", { email: ownerEmail });
    say("nameless", {});
    say("stranger", { email: "stranger@example.com", email_verified: true });
    const before = await storedRows(app);
    for (const login of ["liar", "silent", "nameless", "stranger"]) {
      const { browser, outcome } = await signOn(login);
      assert.deepEqual(outcome, [403, 10428], login);
      assert.equal(browser.cookie, "");
    }
    assert.deepEqual(await storedRows(app), before);
  });

  test("only the browser that began finishes, once, and only with what the provider sent it", async (t) => {
    const { app, provider, say, begin, finish } = await start(t, engine);
    say("owner", { email: ownerEmail, email_verified: true });
    const [victim, attacker] = [openBrowser(app), openBrowser(app)];
    const { url, secret } = await begin(attacker);
    const other = await begin(victim);
    const sentBack = await provider.signIn(url, "owner");
    const before = await storedRows(app);
    for (const body of [
      { secret: other.secret, url: sentBack },
      { secret, url: `${callback}?code=made-up&state=${new URL(sentBack).searchParams.get("state")}` },
      { secret, url: `${callback}?error=access_denied` },
      { secret, url: "nonsense" },
    ]) {
      const answer = await finish(victim, body);
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [403, 10427], answer.text);
    }
    assert.deepEqual(await storedRows(app), before);
    assert.equal((await finish(attacker, { secret, url: sentBack })).status, 200);
    assert.equal((await finish(attacker, { secret, url: sentBack })).status, 403);
  });

  test("whoever has a mapped group becomes a user and a member, whose roles follow the groups", async (t) => {
    const { app, say, signOn } = await start(t, engine, {
      oidc_new_users: "create",
      oidc_roles: ["admins=Administrator", "dns-team=DNS"],
    });
    const as = (groups: unknown) => say("dora", { email: "dora@example.com", email_verified: true, groups });
    as(["visitors"]);
    const before = await storedRows(app);
    assert.deepEqual((await signOn("dora")).outcome, [403, 10428]);
    assert.deepEqual(await storedRows(app), before);
    as(["visitors", "dns-team"]);
    assert.deepEqual(await rolesOf((await signOn("dora")).browser), ["DNS"]);
    as(["dns-team", "admins"]);
    const { browser } = await signOn("dora");
    assert.deepEqual(await rolesOf(browser), ["Administrator", "DNS"]);
    as("dns-team");
    assert.deepEqual(await rolesOf((await signOn("dora")).browser), ["DNS"]);
    assert.deepEqual(await rolesOf(browser), ["DNS"]);
    say("owner", { email: ownerEmail, email_verified: true, groups: ["dns-team"] });
    const owner = await signOn("owner");
    assert.deepEqual(await rolesOf(owner.browser), ["Super Administrator - All Privileges"]);
    const log = await app.request(
      "GET",
      `/accounts/${app.owner.accountId}/audit_logs?action.type=member_edit`,
    );
    assert.equal(log.body.result.length, 2);
  });

  test("without a mapping a new user may read, and one with rights keeps them", async (t) => {
    const { app, say, signOn } = await start(t, engine, { oidc_new_users: "create", two_factor: "required" });
    say("new", { email: "new@example.com", email_verified: true });
    say("eve", { email: "eve@example.com", email_verified: true });
    await addUser(app, "eve@example.com", { account: app.owner.accountId, role: "DNS" });
    const made = await signOn("new");
    assert.equal(made.answer.body.result.needs_second_factor, false);
    assert.deepEqual(await rolesOf(made.browser), ["Administrator Read Only"]);
    assert.deepEqual(await rolesOf((await signOn("eve")).browser), ["DNS"]);
  });

  test("there is none without a provider, and one that is away is a 503", async (t) => {
    const without = await startTestApp(t, engine);
    const browser = openBrowser(without);
    assert.deepEqual((await browser.request("GET", "/session/methods")).body.result, {
      single_sign_on: null,
    });
    const refused = await browser.request("POST", "/session/single_sign_on");
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 10425]);
    const { app } = await start(t, engine, { oidc_issuer: "http://127.0.0.1:1" });
    const away = await openBrowser(app).request("POST", "/session/single_sign_on");
    assert.deepEqual([away.status, away.body.errors[0]?.code], [503, 10426]);
  });

  test("whether an address is verified is said by the document that names it, and that document is signed for this sign-in", async (t) => {
    const clientId = "zoneward";
    const provider = await startScriptedProvider(t, clientId);
    const app = await startTestApp(t, engine, {
      public_url: publicUrl,
      oidc_issuer: provider.issuer,
      oidc_client_id: clientId,
    });
    await addUser(app, "kim@example.com", { account: app.owner.accountId, role: "DNS" });
    const outcome = async (said: ScriptedAnswers) => {
      const browser = openBrowser(app);
      const { url, secret } = (await browser.request("POST", "/session/single_sign_on")).body.result;
      const body = { secret, url: provider.signIn(url, said) };
      const answer = await browser.request("POST", "/session/single_sign_on/finish", { body });
      return answer.status === 200 ? answer.body.result.user.email : answer.body.errors[0]?.code;
    };
    const owner = { email: ownerEmail, email_verified: true };
    const other = { email: "kim@example.com", email_verified: true };
    const [signed, told] = [
      await outcome({ token: owner, userInfo: other }),
      await outcome({ userInfo: owner }),
    ];
    assert.deepEqual([signed, told], [ownerEmail, ownerEmail]);
    const before = await storedRows(app);
    const past = Math.floor(Date.now() / 1000) - 3_600;
    const refused: readonly [ScriptedAnswers, number][] = [
      [{ token: { email: ownerEmail }, userInfo: other }, 10428],
      [{ token: { email_verified: true }, userInfo: { email: ownerEmail } }, 10428],
      [{ token: { email_verified: true }, userInfo: { ...owner, email_verified: false } }, 10428],
      [{ token: { ...other, email: "\u212aim@example.com" } }, 10428],
      [{ token: owner, isForged: true }, 10427],
      [{ token: { ...owner, nonce: "another" } }, 10427],
      [{ token: { ...owner, nonce: undefined } }, 10427],
      [{ token: { ...owner, aud: "another" } }, 10427],
      [{ token: { ...owner, iss: "https://id.example.net" } }, 10427],
      [{ token: { ...owner, iat: past, exp: past + 60 } }, 10427],
      [{ token: {}, userInfo: { ...owner, sub: "another" } }, 10427],
    ];
    for (const [said, code] of refused) assert.equal(await outcome(said), code, JSON.stringify(said));
    assert.deepEqual(await storedRows(app), before);
  });
});
