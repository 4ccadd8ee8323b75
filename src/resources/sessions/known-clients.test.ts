import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import {
  firstSignIn,
  openBrowser,
  password,
  tokenOfLink,
  type TestBrowser,
} from "../../../test/support/browser.ts";
import { onComparedEngines, ownerEmail, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addSignInLink, addUser } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const home = "192.0.2.1";
const elsewhere = "203.0.113.9";
const year = 365 * 24 * 3_600_000;

/** Sends a password from an address and answers the status. */
async function tryPassword(
  browser: TestBrowser,
  address: string,
  sent: string,
  email: string = ownerEmail,
): Promise<number> {
  const headers = { "x-forwarded-for": address };
  return (await browser.request("POST", "/session", { headers, body: { email, password: sent } })).status;
}

/** Sends wrong passwords from four addresses, and answers how often each status came. */
async function guess(browser: TestBrowser, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let index = 0; index < times; index += 1) {
    const status = await tryPassword(browser, `198.51.100.${index % 4}`, `wrong ${index}`);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe("a user whose password others guess at, a hundred times from four addresses", () => {
  const suite = suiteContext();
  let app: TestApp;
  let known: TestBrowser;
  before(async () => {
    app = await startTestApp(suite, "sqlite", { trusted_proxies: ["127.0.0.1"], session_hours: 8_760 });
    known = openBrowser(app);
    const first = await known.request("POST", "/session/first", {
      headers: { "x-forwarded-for": home },
      body: { token: tokenOfLink(app.signInLink), password },
    });
    assert.equal(first.status, 200);
    assert.deepEqual(await guess(openBrowser(app), 101), { 403: 100, 429: 1 });
  });

  test("signs in where it signed in before: by the browser from anywhere, by any browser from the network", async () => {
    assert.equal(await tryPassword(openBrowser(app), elsewhere, password), 429);
    assert.equal(await tryPassword(openBrowser(app), home, password), 200);
    const signedOut = openBrowser(app);
    signedOut.deviceCookie = known.deviceCookie;
    assert.equal(await tryPassword(signedOut, "198.51.100.0", password), 200);
  });

  test("changes its password and views its key in its session", async () => {
    const [wrong, right] = await Promise.all(
      ["wrong", password].map((sent) =>
        known.request("POST", "/session/password", {
          headers: { "x-forwarded-for": "198.51.100.0" },
          body: { current_password: sent, new_password: password },
        }),
      ),
    );
    assert.deepEqual([wrong?.status, right?.status], [403, 200]);
    const viewed = await known.request("POST", "/session/api_key/view", { body: { password } });
    assert.equal(viewed.status, 410);
  });

  test("gets in by a link that is made on the host, also while others take every turn", async () => {
    await addUser(app, "dora@example.com");
    const token = await addSignInLink(app, "dora@example.com");
    const guesses = Array.from({ length: 80 }, (_, index) =>
      tryPassword(openBrowser(app), `198.51.100.${100 + (index % 80)}`, "wrong", `${index}@example.com`),
    );
    const answer = await openBrowser(app).request("POST", "/session/first", { body: { token, password } });
    assert.equal(answer.status, 200, answer.text);
    await Promise.all(guesses);
  });

  test("is not helped by a device cookie that is forged, or another user's", async () => {
    const other = openBrowser(app);
    const { email } = await addUser(app, "erin@example.com");
    const token = await addSignInLink(app, email);
    assert.equal((await other.request("POST", "/session/first", { body: { token, password } })).status, 200);
    const [name, value = ""] = known.deviceCookie.split("=");
    const [endsAt = "", id = "", mac = ""] = value.split(".");
    const forged = [
      other.deviceCookie,
      `${name}=${Number(endsAt) + 1}.${id}.${mac}`,
      `${name}=${endsAt}.${id.replace(/^./, (first) => (first === "A" ? "B" : "A"))}.${mac}`,
      `${name}=${endsAt}.${id}.${mac.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
      `${name}=${endsAt}.${id}.${"A".repeat(43)}`,
      `${name}=..`,
    ];
    for (const deviceCookie of forged) {
      const browser = openBrowser(app);
      browser.deviceCookie = deviceCookie;
      assert.equal(await tryPassword(browser, elsewhere, password), 429, deviceCookie);
    }
  });

  test("loses to a thief of a device cookie nothing but what that cookie may try", async () => {
    const mine = openBrowser(app);
    assert.equal(await tryPassword(mine, home, password), 200);
    const thief = openBrowser(app);
    thief.deviceCookie = mine.deviceCookie;
    const counts = { 403: 0, 429: 0 };
    for (let index = 0; index < 31; index += 1) {
      counts[(await tryPassword(thief, `198.51.100.${200 + index}`, "wrong")) as 403 | 429] += 1;
    }
    assert.deepEqual(counts, { 403: 30, 429: 1 });
    assert.equal(await tryPassword(thief, elsewhere, password), 429);
    const signedOut = openBrowser(app);
    signedOut.deviceCookie = known.deviceCookie;
    assert.equal(await tryPassword(signedOut, elsewhere, password), 200);
    assert.equal(await tryPassword(openBrowser(app), home, password), 200);
  });

  test("has waited long enough after an hour; a device cookie is good for a year", async () => {
    const signedOut = openBrowser(app);
    signedOut.deviceCookie = known.deviceCookie;
    app.advance(3_600_000);
    assert.equal(await tryPassword(openBrowser(app), elsewhere, password), 200);
    app.advance(year);
    assert.deepEqual(await guess(openBrowser(app), 101), { 403: 100, 429: 1 });
    assert.equal(await tryPassword(signedOut, "203.0.113.77", password), 429);
  });
});

onComparedEngines("a device cookie", (engine) => {
  test("is given by every sign-in to `/session` alone, stays at sign-out, and is no credential", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const [, first] = browser.deviceCookie.split("=");
    assert.match(first ?? "", /^1798859045\.[\w-]{22}\.[\w-]{43}$/);
    const again = await browser.request("POST", "/session", { body: { email: ownerEmail, password } });
    const [, set = ""] = again.headers.getSetCookie();
    assert.match(
      set,
      /^zoneward_device=[\w.-]+; Path=\/session; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    );
    const signedOut = await browser.request("DELETE", "/session");
    assert.equal(signedOut.headers.getSetCookie().length, 1);
    assert.equal((await browser.request("GET", "/session")).status, 401);
    const wrong = await browser.request("POST", "/session", {
      body: { email: ownerEmail, password: "wrong" },
    });
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [403, []]);
  });

  test("is known after a restart, and given by no server without a secret key", async (t) => {
    const app = await startTestApp(t, engine, { auth_failure_limit: 2, trusted_proxies: ["127.0.0.1"] });
    const browser = await firstSignIn(app);
    await app.restart();
    for (const status of [403, 403, 429]) {
      assert.equal(await tryPassword(openBrowser(app), elsewhere, "wrong"), status);
    }
    assert.equal(await tryPassword(browser, elsewhere, password), 200);

    const without = await startTestApp(t, engine, {
      secret_key_file: engine === "postgres" ? undefined : "/nowhere/key",
    });
    const other = await firstSignIn(without);
    assert.equal(other.deviceCookie, "");
    other.deviceCookie = browser.deviceCookie;
    assert.equal(await tryPassword(other, home, password), 200);
  });
});

describe("the queue of passwords", () => {
  test("lets a network have its turn while another one sends seventy at once", async (t) => {
    const app = await startTestApp(t, "sqlite", {
      auth_failure_limit: "off",
      trusted_proxies: ["127.0.0.1"],
    });
    const answered: string[] = [];
    const flood = Array.from({ length: 70 }, async (_, index) => {
      const status = await tryPassword(openBrowser(app), home, "wrong", `${index}@example.com`);
      answered.push(status === 403 ? "flood" : "refused");
    });
    const other = tryPassword(openBrowser(app), elsewhere, "wrong").then((status) =>
      answered.push(`other ${status}`),
    );
    await Promise.all([...flood, other]);
    const turns = answered.filter((answer) => answer !== "refused");
    assert.ok(turns.length > 50);
    assert.ok(turns.indexOf("other 403") >= 0);
    assert.ok(turns.indexOf("other 403") < 25, turns.join(" "));
  });
});
