import assert from "node:assert/strict";
import { test } from "node:test";

import {
  firstSignIn,
  openBrowser,
  password,
  signedInBrowser,
  tokenOfLink,
} from "../../../test/support/browser.ts";
import {
  byKey,
  onComparedEngines,
  ownerEmail,
  startTestApp,
  testOnEachEngine,
  until,
} from "../../../test/support/harness.ts";
import { addUser, besideServer, storedRows } from "../../../test/support/store.ts";

const hour = 3_600_000;
const day = 24 * hour;

onComparedEngines("setFirstPassword", (engine) => {
  test("the link of the start sets the owner's password and signs in, once", async (t) => {
    const app = await startTestApp(t, engine);
    const token = tokenOfLink(app.signInLink);
    const browser = openBrowser(app);
    const first = await browser.request("POST", "/session/first", { body: { token, password } });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body.result, {
      user: { id: app.owner.userId, email: ownerEmail },
      expires_on: "2026-01-02T15:04:05.678000Z",
      needs_second_factor: false,
    });
    assert.match(
      first.headers.getSetCookie()[0] ?? "",
      /^zoneward_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    assert.equal((await browser.request("GET", "/session")).text, first.text);

    const before = await storedRows(app);
    const again = await openBrowser(app).request("POST", "/session/first", {
      body: { token, password: "another long password" },
    });
    assert.deepEqual([again.status, again.body.errors[0]?.code], [403, 10412]);
    assert.equal(again.headers.get("set-cookie"), null);
    assert.deepEqual(await storedRows(app), before);
    await signedInBrowser(app);
    await app.restart();
    assert.equal(app.signInLink, undefined);
  });

  testOnEachEngine("of two that use a link at once, one is signed in", async (t, either) => {
    const app = await startTestApp(t, either);
    const token = tokenOfLink(app.signInLink);
    const passwords = ["the first password", "the second password"];
    const answers = await Promise.all(
      passwords.map((chosen) =>
        openBrowser(app).request("POST", "/session/first", { body: { token, password: chosen } }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 403]));
    const sessions = await besideServer(app, (tx) => tx.selectFrom("sessions").selectAll().execute());
    assert.equal(sessions.length, 1);
  });

  test("a password that is too short leaves the link good; after 24 hours it is not", async (t) => {
    const app = await startTestApp(t, engine);
    const token = tokenOfLink(app.signInLink);
    const ask = (body: object) => openBrowser(app).request("POST", "/session/first", { body });
    const short = await ask({ token, password: "elevenchars" });
    assert.deepEqual(
      [short.status, short.body.errors[0]?.code, short.body.errors[0]?.source?.pointer],
      [400, 1003, "/password"],
    );
    assert.match(short.body.errors[0]?.message ?? "", /at least 12 characters/);
    app.advance(day);
    const late = await ask({ token, password });
    assert.deepEqual([late.status, late.body.errors[0]?.code], [403, 10412]);
    await app.restart();
    assert.equal((await ask({ token: tokenOfLink(app.signInLink), password })).status, 200);
  });
});

onComparedEngines("signIn", (engine) => {
  test("a wrong password, a user without one and an e-mail that nobody has are refused alike", async (t) => {
    const app = await startTestApp(t, engine);
    await firstSignIn(app);
    await addUser(app, "other@example.com");
    const before = await storedRows(app);
    for (const body of [
      { email: ownerEmail, password: `${password}!` },
      { email: "other@example.com", password },
      { email: "nobody@example.com", password },
      { email: "no e-mail", password: "" },
    ]) {
      const browser = openBrowser(app);
      const answer = await browser.request("POST", "/session", { body });
      assert.deepEqual(
        [answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.message, browser.cookie],
        [403, 10411, "Wrong e-mail or password", ""],
      );
    }
    assert.deepEqual(await storedRows(app), before);
    const upper = await openBrowser(app).request("POST", "/session", {
      body: { email: ownerEmail.toUpperCase(), password },
    });
    assert.equal(upper.status, 200);
  });

  test("a browser that signs in again has one session, the other one is ended", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    assert.equal((await browser.api("GET", "/user")).status, 200);
    const before = openBrowser(app, browser.cookie);
    const body = { email: ownerEmail, password };
    assert.equal((await browser.request("POST", "/session", { body })).status, 200);
    assert.notEqual(browser.cookie, before.cookie);
    assert.equal((await browser.api("GET", "/user")).status, 200);
    assert.equal((await before.api("GET", "/user")).status, 401);
  });

  test("what is no sign-in is a 400 with its place", async (t) => {
    const app = await startTestApp(t, engine);
    for (const [body, pointer] of [
      [{ email: ownerEmail }, "/password"],
      [{ email: 1, password }, "/email"],
      [{ email: ownerEmail, password: "x".repeat(257) }, "/password"],
    ] as const) {
      const { status, body: answer } = await openBrowser(app).request("POST", "/session", { body });
      assert.deepEqual([status, answer.errors[0]?.source?.pointer], [400, pointer]);
    }
  });

  test("after too many wrong passwords of an address the right one is refused too, until the minute ends", async (t) => {
    const app = await startTestApp(t, engine, { auth_failure_limit: 3, trusted_proxies: ["127.0.0.1"] });
    await firstSignIn(app);
    const ask = async (sent: string, address = "192.0.2.1", email = ownerEmail) => {
      const headers = { "x-forwarded-for": address };
      const body = { email, password: sent };
      return (await openBrowser(app).request("POST", "/session", { headers, body })).status;
    };
    const wrong = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        ask(`wrong password ${index}`, "192.0.2.1", `${index}@example.com`),
      ),
    );
    assert.deepEqual(
      [403, 429].map((status) => wrong.filter((other) => other === status).length),
      [3, 3],
    );
    assert.equal(await ask(password), 429);
    assert.equal(await ask(password, "192.0.2.2"), 200);
    app.advance(60_000);
    assert.equal(await ask(password), 200);
  });
});

onComparedEngines("signOut", (engine) => {
  test("ends the session at once, for the API too, and takes the cookie", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    assert.equal((await browser.api("GET", "/user")).status, 200);
    const { cookie } = browser;
    const answer = await browser.request("DELETE", "/session");
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("set-cookie") ?? "", /^zoneward_session=; Path=\/; Max-Age=0;/);
    browser.cookie = cookie;
    for (const ended of [await browser.api("GET", "/user"), await browser.request("GET", "/session")]) {
      assert.deepEqual([ended.status, ended.body.errors[0]?.code], [401, 10401]);
    }
    assert.equal((await browser.request("DELETE", "/session")).status, 200);
  });
});

onComparedEngines("getSession", (engine) => {
  test("a session that is not used ends after session_idle_minutes, one that is used after session_hours", async (t) => {
    const app = await startTestApp(
      t,
      engine,
      { session_idle_minutes: 30, session_hours: 2 },
      { sessionRoundMs: 20 },
    );
    const used = await firstSignIn(app);
    const unused = await signedInBrowser(app);
    for (let minutes = 20; minutes < 120; minutes += 20) {
      app.advance(20 * 60_000);
      assert.equal((await used.api("GET", "/user")).status, 200, `after ${minutes} minutes`);
      const status = minutes < 30 ? 200 : 401;
      assert.equal((await unused.request("GET", "/session")).status, status);
    }
    const ended = await unused.api("GET", "/user");
    assert.deepEqual([ended.status, ended.body.errors[0]?.code], [401, 10401]);
    assert.equal((await used.request("GET", "/session")).status, 200);
    app.advance(20 * 60_000);
    assert.equal((await used.api("GET", "/user")).status, 401);
    assert.equal((await used.request("GET", "/session")).status, 401);
    await until("the timer has removed them", async () => {
      const rows = await besideServer(app, (tx) => tx.selectFrom("sessions").selectAll().execute());
      return rows.length === 0;
    });
  });

  test("its use is known after a restart", async (t) => {
    const app = await startTestApp(t, engine, { session_idle_minutes: 30 });
    const browser = await firstSignIn(app);
    app.advance(20 * 60_000);
    await browser.api("GET", "/user");
    await app.restart();
    app.advance(20 * 60_000);
    assert.equal((await browser.api("GET", "/user")).status, 200);
  });

  test("what the user may do, the session may do, and make the first token, which the key may not", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    for (const path of [
      "/user",
      "/zones",
      "/accounts",
      "/memberships",
      `/accounts/${app.owner.accountId}/roles`,
    ]) {
      const answer = await browser.api("GET", path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.text, (await app.request("GET", path, { headers: byKey })).text, path);
    }
    const allZones = { "com.cloudflare.api.account.zone.*": "*" };
    const policies = [
      {
        effect: "allow",
        resources: allZones,
        permission_groups: [{ id: "82e64a83756745bbbb1c9c2701bf816b" }],
      },
    ];
    const body = { name: "first", policies };
    const made = await browser.api("POST", "/user/tokens", { body });
    assert.equal(made.status, 200, made.text);
    assert.equal((await app.request("POST", "/user/tokens", { headers: byKey, body })).status, 405);
    const bearer = { authorization: `Bearer ${made.body.result.value}` };
    assert.equal((await app.request("GET", "/zones", { headers: bearer })).status, 200);
  });

  test("other credentials of a request are judged instead, and a cookie alone is none", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const unknown = { authorization: `Bearer ${"x".repeat(40)}` };
    assert.equal((await browser.api("GET", "/user", { headers: unknown })).status, 403);
    const alone = await browser.request("GET", "/client/v4/user");
    assert.deepEqual([alone.status, alone.body.errors[0]?.code], [400, 9106]);
    browser.cookie = "";
    assert.equal((await browser.api("GET", "/user")).status, 401);
    browser.cookie = `zoneward_session=${"A".repeat(43)}`;
    assert.equal((await browser.api("GET", "/user")).status, 401);
  });
});
