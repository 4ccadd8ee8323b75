import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { firstSignIn, openBrowser, password, signedInBrowser } from "../../../test/support/browser.ts";
import {
  byKey,
  onComparedEngines,
  ownerEmail,
  ownerKey,
  startTestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { besideServer, storedRows } from "../../../test/support/store.ts";

const changed = "another long password";

onComparedEngines("changePassword", (engine) => {
  test("ends the other sessions and the old password, and keeps the session that changed it", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const other = await signedInBrowser(app);
    assert.equal((await other.api("GET", "/user")).status, 200);
    const answer = await browser.request("POST", "/session/password", {
      body: { current_password: password, new_password: changed },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await other.api("GET", "/user")).status, 401);
    assert.equal((await other.request("GET", "/session")).status, 401);
    assert.equal((await browser.api("GET", "/user")).status, 200);
    const signIn = (sent: string) =>
      openBrowser(app).request("POST", "/session", { body: { email: ownerEmail, password: sent } });
    assert.equal((await signIn(password)).status, 403);
    assert.equal((await signIn(changed)).status, 200);
  });

  test("is refused with a wrong password, a short one and without a session, and nothing changes", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const before = await storedRows(app);
    const cases = [
      [browser, { current_password: "wrong", new_password: changed }, 403, 10411, "/current_password"],
      [browser, { current_password: password, new_password: "short" }, 400, 1003, "/new_password"],
      [openBrowser(app), { current_password: password, new_password: changed }, 401, 10401, undefined],
    ] as const;
    for (const [sender, body, status, code, pointer] of cases) {
      const answer = await sender.request("POST", "/session/password", { body });
      const [error] = answer.body.errors;
      assert.deepEqual([answer.status, error?.code, error?.source?.pointer], [status, code, pointer]);
    }
    assert.deepEqual(await storedRows(app), before);
  });

  testOnEachEngine("of two changes at once, one is made", async (t, either) => {
    const app = await startTestApp(t, either);
    const browsers = [await firstSignIn(app), await signedInBrowser(app)];
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.request("POST", "/session/password", {
          body: { current_password: password, new_password: `${changed} ${index}` },
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 1);
    // By then its session may have ended, too.
    assert.ok([401, 403].includes(refused[0]?.status ?? 0));
  });
});

onComparedEngines("changeApiKey", (engine) => {
  test("makes a key that is good at once, and the one before is good no longer; it can be viewed", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const ask = (path: string, sent = password) =>
      browser.request("POST", `/session/api_key/${path}`, { body: { password: sent } });
    assert.equal((await app.request("GET", "/user", { headers: byKey })).status, 200);
    const hashed = await ask("view");
    assert.deepEqual([hashed.status, hashed.body.errors[0]?.code], [410, 10414]);

    const { api_key } = (await ask("change")).body.result;
    assert.match(api_key, /^[0-9a-f]{37}$/);
    assert.equal((await app.request("GET", "/user", { headers: byKey })).status, 403);
    const headers = { ...byKey, "x-auth-key": api_key };
    assert.equal((await app.request("GET", "/user", { headers })).status, 200);
    assert.deepEqual((await ask("view")).body.result, { api_key });
    assert.equal((await browser.api("GET", "/user")).status, 200);

    const before = await storedRows(app);
    for (const path of ["view", "change"]) {
      const refused = await ask(path, "wrong");
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [403, 10411]);
      const nobody = await openBrowser(app).request("POST", `/session/api_key/${path}`, {
        body: { password },
      });
      assert.equal(nobody.status, 401);
    }
    assert.deepEqual(await storedRows(app), before);

    // The preset key takes its place.
    await app.restart();
    assert.equal((await app.request("GET", "/user", { headers: byKey })).status, 200);
    assert.equal((await ask("view")).status, 410);
  });

  test("without a secret key the key is changed all the same, and cannot be viewed", async (t) => {
    const app = await startTestApp(t, engine, {
      secret_key_file: engine === "postgres" ? undefined : "/nowhere/key",
    });
    const browser = await firstSignIn(app);
    const body = { password };
    assert.equal((await browser.request("POST", "/session/api_key/change", { body })).status, 200);
    assert.equal((await browser.request("POST", "/session/api_key/view", { body })).status, 410);
  });
});

onComparedEngines("what is secret of a session", (engine) => {
  test("is stored nowhere in clear, and what was done with it is in the audit log", async (t) => {
    const app = await startTestApp(t, engine, { owner_key: undefined });
    const token = app.signInLink?.split("#")[1] ?? "";
    const browser = await firstSignIn(app);
    await browser.request("POST", "/session/password", {
      body: { current_password: password, new_password: changed },
    });
    const body = { password: changed };
    const { api_key } = (await browser.request("POST", "/session/api_key/change", { body })).body.result;
    await browser.request("POST", "/session/api_key/view", { body });
    const id = browser.cookie.split("=")[1] ?? "";
    const other = openBrowser(app);
    await other.request("POST", "/session", { body: { email: ownerEmail, password: changed } });
    await other.request("DELETE", "/session");
    const zone = await browser.api("POST", "/zones", { body: { name: "example.com" } });
    assert.ok(zone.headers.get("cf-auditlog-id"));

    const logs = await besideServer(app, (tx) =>
      tx.selectFrom("audit_logs").selectAll().orderBy("id").execute(),
    );
    assert.deepEqual(
      logs.map(({ action_type }) => action_type),
      [
        "password_set",
        "password_change",
        "api_key_change",
        "api_key_view",
        "sign_in",
        "sign_out",
        "zone_add",
      ],
    );
    for (const log of logs) {
      assert.deepEqual([log.interface, log.actor_id, log.actor_ip], ["UI", app.owner.userId, "127.0.0.1"]);
    }
    const stored = JSON.stringify(await storedRows(app));
    const files = readdirSync(app.config.data, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(app.config.data, entry.name), "latin1"));
    for (const secret of [token, password, changed, api_key, id, ownerKey]) {
      assert.ok(secret.length > 10);
      for (const text of [stored, ...files]) assert.ok(!text.includes(secret));
    }
    assert.match(stored, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
