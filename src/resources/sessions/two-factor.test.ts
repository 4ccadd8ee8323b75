import assert from "node:assert/strict";
import { test } from "node:test";

import { newTestPasskey } from "../../../test/support/authenticator.ts";
import { firstSignIn, openBrowser, password, type TestBrowser } from "../../../test/support/browser.ts";
import {
  byKey,
  onComparedEngines,
  ownerEmail,
  startOfTime,
  startTestApp,
  until,
  type TestApp,
} from "../../../test/support/harness.ts";
import { addSignInLink, addUser, besideServer, storedRows } from "../../../test/support/store.ts";
import { bearer, policy } from "../../../test/support/token-api.ts";
import { account } from "../../core/policy/permission-groups.ts";
import { findRoleCalled } from "../../core/policy/roles.ts";
import { createContext } from "../../process/open-store.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { totpCode } from "../two-factor/totp.ts";
import { resetTwoFactor } from "./sessions.ts";

const minute = 60_000;
const origin = "https://zones.example.com";

/** A browser that is signed in and has set up an authenticator app. */
async function withTotp(app: TestApp): Promise<{ browser: TestBrowser; secret: string; codes: string[] }> {
  const browser = await firstSignIn(app);
  const started = await browser.request("POST", "/session/two_factor/totp", { body: { password } });
  assert.equal(started.status, 200, started.text);
  const { secret } = started.body.result;
  const confirmed = await browser.request("POST", "/session/two_factor/totp/confirm", {
    body: { code: totpCode(secret, startOfTime) },
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  app.advance(minute);
  return { browser, secret, codes: confirmed.body.result.recovery_codes };
}

async function firstStep(app: TestApp, browser = openBrowser(app)) {
  const answer = await browser.request("POST", "/session", { body: { email: ownerEmail, password } });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(browser.cookie, "");
  const { token, methods, passkey_options: options } = answer.body.result.second_factor;
  const pass = (body: object) =>
    browser.request("POST", "/session/second_factor", { body: { token, ...body } });
  return { browser, methods, options, pass };
}

const codeOf = (answer: { status: number; body: { errors: readonly { code: number }[] } }) => [
  answer.status,
  answer.body.errors[0]?.code,
];

onComparedEngines("two-factor sign-in by an authenticator app", (engine) => {
  test("a session begins only after the code, which is good once", async (t) => {
    const app = await startTestApp(t, engine);
    const { secret } = await withTotp(app);
    const now = new Date(startOfTime.getTime() + minute);
    const first = await firstStep(app);
    assert.deepEqual(first.methods, ["totp", "recovery_code"]);
    const code = totpCode(secret, now);
    assert.deepEqual(
      codeOf(await first.pass({ code: code === "000000" ? "000001" : "000000" })),
      [403, 10417],
    );
    assert.deepEqual(codeOf(await first.pass({})), [403, 10417]);
    const signedIn = await first.pass({ code: `${code.slice(0, 3)} ${code.slice(3)}` });
    assert.equal(signedIn.status, 200, signedIn.text);
    assert.equal((await first.browser.api("GET", "/user")).status, 200);
    assert.deepEqual(codeOf(await first.pass({ code })), [403, 10418]);
    const second = await firstStep(app);
    assert.deepEqual(codeOf(await second.pass({ code })), [403, 10417]);
    app.advance(minute);
    const later = await second.pass({ code: totpCode(secret, new Date(now.getTime() + minute)) });
    assert.equal(later.status, 200);
  });

  test("the secret is sealed, recovery codes are hashed, and no wrong password or code changes anything", async (t) => {
    const app = await startTestApp(t, engine);
    const { browser, secret, codes } = await withTotp(app);
    assert.equal(codes.length, 10);
    const before = await storedRows(app);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))])
      assert.ok(!JSON.stringify(before).includes(text));
    for (const path of ["totp", "totp/remove", "recovery_codes", "passkeys/start"]) {
      const answer = await browser.request("POST", `/session/two_factor/${path}`, {
        body: { password: "wrong" },
      });
      assert.ok([400, 403].includes(answer.status), answer.text);
      const stranger = openBrowser(app).request("POST", `/session/two_factor/${path}`, {
        body: { password },
      });
      assert.ok([400, 401].includes((await stranger).status));
    }
    const again = await browser.request("POST", "/session/two_factor/totp", { body: { password } });
    assert.deepEqual(codeOf(again), [400, 10422]);
    assert.deepEqual(await storedRows(app), before);
  });

  test("a recovery code stands in once, however it is typed, and new ones replace the old", async (t) => {
    const app = await startTestApp(t, engine);
    const { browser, codes } = await withTotp(app);
    const [one = "", other = ""] = codes;
    const first = await firstStep(app);
    const typed = one.toUpperCase().replaceAll("-", " ");
    assert.equal((await first.pass({ recovery_code: typed })).status, 200);
    assert.deepEqual(codeOf(await (await firstStep(app)).pass({ recovery_code: one })), [403, 10417]);
    const { body } = await browser.request("GET", "/session/two_factor");
    assert.deepEqual(body.result, {
      enabled: true,
      locked: false,
      totp: true,
      passkeys: [],
      recovery_codes: 9,
      passkey_origin: null,
    });
    const made = await browser.request("POST", "/session/two_factor/recovery_codes", { body: { password } });
    assert.equal(made.body.result.recovery_codes.length, 10);
    assert.deepEqual(codeOf(await (await firstStep(app)).pass({ recovery_code: other })), [403, 10417]);
    for (const type of ["recovery_code_use", "recovery_codes_make"]) {
      const log = await app.request("GET", `/user/audit_logs?action.type=${type}`);
      assert.equal(log.body.result.length, 1, type);
    }
  });

  test("removing it takes the password, and signing in the password alone from then on", async (t) => {
    const app = await startTestApp(t, engine);
    const { browser } = await withTotp(app);
    const enabled = async () =>
      (await app.request("GET", "/user")).body.result.two_factor_authentication_enabled as boolean;
    assert.equal(await enabled(), true);
    const members = await app.request("GET", `/accounts/${app.owner.accountId}/members`);
    assert.equal(members.body.result[0].user.two_factor_authentication_enabled, true);
    assert.equal(
      (await browser.request("POST", "/session/two_factor/totp/remove", { body: { password } })).status,
      200,
    );
    assert.equal(await enabled(), false);
    const signedIn = await openBrowser(app).request("POST", "/session", {
      body: { email: ownerEmail, password },
    });
    assert.equal(signedIn.body.result.user.email, ownerEmail);
    const rows = await besideServer(app, (tx) => tx.selectFrom("recovery_codes").selectAll().execute());
    assert.deepEqual(rows, []);
    const log = (await app.request("GET", "/user/audit_logs")).body.result as { action: { type: string } }[];
    const types = new Set(log.map(({ action }) => action.type));
    for (const type of ["totp_add", "totp_remove"]) assert.ok(types.has(type), type);
  });

  test("the second step is open for ten minutes, and a new password closes it", async (t) => {
    const app = await startTestApp(t, engine);
    const { browser, codes } = await withTotp(app);
    const [one = "", other = ""] = codes;
    const late = await firstStep(app);
    app.advance(10 * minute);
    assert.deepEqual(codeOf(await late.pass({ recovery_code: one })), [403, 10418]);
    const open = await firstStep(app);
    const body = { current_password: password, new_password: "another long password" };
    assert.equal((await browser.request("POST", "/session/password", { body })).status, 200);
    assert.deepEqual(codeOf(await open.pass({ recovery_code: other })), [403, 10418]);
  });

  test("after too many wrong codes the right one is refused too, but not in a browser that was signed in", async (t) => {
    const app = await startTestApp(t, engine);
    const { browser, codes } = await withTotp(app);
    const known = openBrowser(app);
    known.deviceCookie = browser.deviceCookie;
    const guesses = await firstStep(app);
    const statuses: number[] = [];
    for (let guess = 0; guess < 21; guess += 1)
      statuses.push((await guesses.pass({ recovery_code: `${guess}` })).status);
    assert.deepEqual([statuses.filter((status) => status === 403).length, statuses.at(-1)], [20, 429]);
    assert.deepEqual(codeOf(await guesses.pass({ recovery_code: codes[0] })), [429, 10429]);
    const own = await firstStep(app, known);
    assert.equal((await own.pass({ recovery_code: codes[0] })).status, 200);
    app.advance(60 * minute);
    assert.equal((await (await firstStep(app)).pass({ recovery_code: codes[1] })).status, 200);
  });

  test("a sign-in link sets the password but does not stand in for the second factor; the host resets that", async (t) => {
    const app = await startTestApp(t, engine);
    const { codes } = await withTotp(app);
    const browser = openBrowser(app);
    const token = await addSignInLink(app, ownerEmail);
    const set = await browser.request("POST", "/session/first", {
      body: { token, password: "another long password" },
    });
    assert.equal(set.status, 200, set.text);
    assert.equal(browser.cookie, "");
    const step = { token: set.body.result.second_factor.token, recovery_code: codes[0] };
    assert.equal((await browser.request("POST", "/session/second_factor", { body: step })).status, 200);
    const context = createContext(await app.storeBeside());
    assert.equal(await resetTwoFactor(context, { interface: "CLI" }, ownerEmail), true);
    assert.equal(await resetTwoFactor(context, { interface: "CLI" }, ownerEmail), false);
    const body = { email: ownerEmail, password: "another long password" };
    assert.equal(
      (await openBrowser(app).request("POST", "/session", { body })).body.result.user.email,
      ownerEmail,
    );
    const log = await app.request("GET", "/user/audit_logs?action.type=two_factor_reset");
    assert.equal(log.body.result.length, 1);
  });
});

onComparedEngines("two-factor sign-in by a passkey", (engine) => {
  const settings = { public_url: origin };

  async function withPasskey(app: TestApp) {
    const browser = await firstSignIn(app);
    const passkey = newTestPasskey();
    const start = async () =>
      (await browser.request("POST", "/session/two_factor/passkeys/start", { body: { password } })).body
        .result;
    const add = (body: object) => browser.request("POST", "/session/two_factor/passkeys", { body });
    const { token, options } = await start();
    const added = await add({ token, name: "Key", passkey: passkey.create(options, origin) });
    assert.equal(added.status, 200, added.text);
    assert.equal(added.body.result.recovery_codes.length, 10);
    return { browser, passkey, start, add };
  }

  test("the passkey signs the challenge of this sign-in, once, and is told apart from others", async (t) => {
    const app = await startTestApp(t, engine, settings);
    const { browser, passkey } = await withPasskey(app);
    const first = await firstStep(app);
    assert.deepEqual(first.methods, ["passkey", "recovery_code"]);
    const second = await firstStep(app);
    for (const [title, sent] of [
      ["of another sign-in", passkey.get(first.options, origin)],
      ["of another site", passkey.get(second.options, "https://evil.example")],
      ["of another key", newTestPasskey().get(second.options, origin)],
      ["of another host", passkey.get({ ...second.options, rpId: "evil.example" }, origin)],
      ["of nothing", {}],
      ["of nonsense", { id: 7, response: null }],
    ] as const)
      assert.deepEqual(codeOf(await second.pass({ passkey: sent })), [403, 10419], title);
    const sent = passkey.get(second.options, origin);
    assert.equal((await second.pass({ passkey: sent })).status, 200);
    assert.deepEqual(codeOf(await second.pass({ passkey: sent })), [403, 10418]);
    const { body } = await browser.request("GET", "/session/two_factor");
    const [{ id, ...shown }] = body.result.passkeys;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(shown, {
      name: "Key",
      site: "zones.example.com",
      created_on: "2026-01-02T03:04:05.678000Z",
      last_used_on: "2026-01-02T03:04:05.678000Z",
    });
  });

  test("what no authenticator made for this challenge is not added, and a passkey not twice", async (t) => {
    const app = await startTestApp(t, engine, settings);
    const { passkey, start, add, browser } = await withPasskey(app);
    const { token, options } = await start();
    const before = await storedRows(app);
    for (const [title, sent] of [
      ["another site", newTestPasskey().create(options, "https://evil.example")],
      ["another challenge", newTestPasskey().create({ ...options, challenge: "AAAA" }, origin)],
      ["nonsense", { id: "x", response: { attestationObject: "AA" } }],
      ["the same again", passkey.create(options, origin)],
    ] as const)
      assert.deepEqual(codeOf(await add({ token, name: "Key", passkey: sent })), [403, 10419], title);
    assert.deepEqual(codeOf(await add({ token: "x", name: "Key", passkey: {} })), [403, 10418]);
    assert.deepEqual(await storedRows(app), before);
    const [{ id }] = (await browser.request("GET", "/session/two_factor")).body.result.passkeys;
    const remove = (sent: object) =>
      browser.request("POST", "/session/two_factor/passkeys/remove", { body: { password, ...sent } });
    assert.equal((await remove({ id: "0".repeat(32) })).status, 404);
    assert.equal((await remove({ id })).status, 200);
    assert.equal((await app.request("GET", "/user")).body.result.two_factor_authentication_enabled, false);
    for (const type of ["passkey_add", "passkey_remove"]) {
      const log = await app.request("GET", `/user/audit_logs?action.type=${type}`);
      assert.equal(log.body.result.length, 1, type);
    }
  });

  test("there are none where browsers reach the server by an address", async (t) => {
    const app = await startTestApp(t, engine, { public_url: "https://192.0.2.1" });
    const browser = await firstSignIn(app);
    const start = await browser.request("POST", "/session/two_factor/passkeys/start", { body: { password } });
    assert.deepEqual(codeOf(start), [400, 10424]);
  });
});

onComparedEngines("a required second factor", (engine) => {
  test("two_factor=required: a session permits nothing but setting one up, and the last one stays", async (t) => {
    const app = await startTestApp(t, engine, { two_factor: "required" });
    const browser = await firstSignIn(app);
    const session = () => browser.request("GET", "/session");
    assert.equal((await session()).body.result.needs_second_factor, true);
    const refused = await browser.api("GET", "/zones");
    assert.deepEqual(codeOf(refused), [403, 10416]);
    const key = await browser.request("POST", "/session/api_key/change", { body: { password } });
    assert.deepEqual(codeOf(key), [403, 10416]);
    assert.equal((await app.request("GET", "/zones", { headers: byKey })).status, 200);
    const { secret } = (await browser.request("POST", "/session/two_factor/totp", { body: { password } }))
      .body.result;
    const code = totpCode(secret, startOfTime);
    await browser.request("POST", "/session/two_factor/totp/confirm", { body: { code } });
    assert.equal((await browser.api("GET", "/zones")).status, 200);
    assert.equal((await session()).body.result.needs_second_factor, false);
    const removed = await browser.request("POST", "/session/two_factor/totp/remove", { body: { password } });
    assert.deepEqual(codeOf(removed), [403, 10420]);
    assert.equal((await app.request("GET", "/user")).body.result.two_factor_authentication_locked, true);
    assert.equal((await browser.api("GET", "/zones")).status, 200);
  });

  test("enforce_twofactor closes an account to members without one, by whatever credential", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const dora = await addUser(app, "dora@example.com", { account: accountId, role: "Administrator" });
    const edit = () =>
      app.request("PATCH", `/accounts/${accountId}`, { body: { settings: { enforce_twofactor: true } } });
    const before = await storedRows(app);
    const alone = await edit();
    assert.deepEqual(
      [alone.status, alone.body.errors[0]?.source?.pointer],
      [400, "/settings/enforce_twofactor"],
      alone.text,
    );
    assert.deepEqual(await storedRows(app), before);
    await withTotp(app);
    assert.equal((await app.request("GET", "/zones", { headers: dora.headers })).status, 200);
    const zoneId = await app.createZone("example.com");
    const zone = () => app.request("GET", `/zones/${zoneId}`, { headers: dora.headers });
    assert.equal((await zone()).status, 200);
    assert.equal((await edit()).body.result.settings.enforce_twofactor, true);
    assert.equal((await zone()).status, 404);
    const locked = async (headers: Record<string, string>) =>
      (await app.request("GET", "/user", { headers })).body.result
        .two_factor_authentication_locked as boolean;
    assert.deepEqual([await locked(dora.headers), await locked(byKey)], [true, true]);
    assert.equal((await app.request("GET", `/zones/${zoneId}`)).status, 200);

    const browser = openBrowser(app);
    const token = await addSignInLink(app, dora.email);
    await browser.request("POST", "/session/first", { body: { token, password } });
    const { secret } = (await browser.request("POST", "/session/two_factor/totp", { body: { password } }))
      .body.result;
    const now = new Date(startOfTime.getTime() + minute);
    const confirmed = await browser.request("POST", "/session/two_factor/totp/confirm", {
      body: { code: totpCode(secret, now) },
    });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal((await zone()).status, 200);
    const removed = await browser.request("POST", "/session/two_factor/totp/remove", { body: { password } });
    assert.deepEqual(codeOf(removed), [403, 10420]);
    const opened = await app.request("PATCH", `/accounts/${accountId}`, {
      body: { settings: { enforce_twofactor: false } },
    });
    assert.equal(opened.body.result.settings.enforce_twofactor, false);
  });

  test("enforce_twofactor holds the account's tokens whose makers have none, and these cannot lift it", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const role = "Super Administrator - All Privileges";
    const eve = await addUser(app, "eve@example.com", { account: accountId, role });
    const tokens = `/accounts/${accountId}/tokens`;
    const make = async (headers: Record<string, string>) => {
      const resources = { [`com.cloudflare.api.account.${accountId}`]: "*" };
      const groups = [account("Account Settings Write").id, account("Account API Tokens Write").id];
      const body = { name: "t", policies: [policy({ resources, groups })] };
      const made = await app.request("POST", tokens, { headers, body });
      assert.equal(made.status, 200, made.text);
      return bearer(made.body.result.value);
    };
    await withTotp(app);
    const [byEve, byOwner] = [await make(eve.headers), await make(byKey)];
    const byTokenOfEve = await make(byEve);
    const sent = await app.request("POST", `/accounts/${accountId}/members`, {
      headers: eve.headers,
      body: { email: "dora@example.com", roles: [findRoleCalled("DNS")?.id] },
    });
    const dora = await addUser(app, "dora@example.com");
    const enforce = (value: boolean, headers?: Record<string, string>) =>
      app.request("PATCH", `/accounts/${accountId}`, {
        ...(headers && { headers }),
        body: { settings: { enforce_twofactor: value } },
      });
    const outcomes = async () =>
      Promise.all(
        [byEve, byTokenOfEve, byOwner].map(
          async (headers) => (await app.request("GET", `/accounts/${accountId}`, { headers })).status,
        ),
      );
    assert.deepEqual(await outcomes(), [200, 200, 200]);
    assert.equal((await enforce(true)).status, 200);
    const before = await storedRows(app);
    assert.deepEqual(await outcomes(), [404, 404, 200]);
    for (const [headers, status] of [
      [byEve, 404],
      [byTokenOfEve, 404],
      [eve.headers, 404],
      [byOwner, 400],
    ] as const) {
      const refused = await enforce(false, headers);
      assert.equal(refused.status, status, refused.text);
    }
    const accepting = await app.request("PATCH", `/user/invites/${sent.body.result.id}`, {
      headers: dora.headers,
      body: { status: "accepted" },
    });
    assert.deepEqual(codeOf(accepting), [403, 9109]);
    assert.deepEqual(await storedRows(app), before);

    const setFactor = (since: Timestamp | null) =>
      besideServer(app, (tx) =>
        tx.updateTable("users").set({ second_factor_since: since }).where("id", "=", eve.id).execute(),
      );
    await setFactor(toTimestamp(startOfTime));
    await until("they are free", async () => (await outcomes()).every((status) => status === 200));
    await setFactor(null);
    await until("they are held again", async () => (await outcomes())[0] === 404);
    await besideServer(app, (tx) =>
      tx.updateTable("tokens").set({ grantors: null, status: "active" }).execute(),
    );
    await until("those of unknown makers are held", async () => (await outcomes())[2] === 404);
    assert.equal((await enforce(false)).status, 200);
    assert.deepEqual(await outcomes(), [200, 200, 200]);
  });
});
