import assert from "node:assert/strict";
import { test } from "node:test";

import { firstSignIn, openBrowser, password, signedInBrowser } from "../../../test/support/browser.ts";
import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addSignInLink, addUser, storedRows } from "../../../test/support/store.ts";

const started = "2026-01-02T03:04:05.678000Z";
const minute = 60_000;

onComparedEngines("the sessions of a user", (engine) => {
  test("listOwnSessions tells where and when each began, and which is the own one", async (t) => {
    const app = await startTestApp(t, engine);
    const own = await firstSignIn(app);
    app.advance(minute);
    await signedInBrowser(app);
    const { body } = await own.request("GET", "/session/all");
    const [later, { id, ...earlier }] = body.result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(earlier, {
      is_current: true,
      address: "127.0.0.1",
      started_on: started,
      used_on: started,
      expires_on: "2026-01-02T15:04:05.678000Z",
    });
    assert.equal(later.is_current, false);
    assert.equal(body.result.length, 2);
    app.advance(61 * minute);
    assert.equal((await own.request("GET", "/session/all")).status, 401);
    const again = await signedInBrowser(app);
    assert.equal((await again.request("GET", "/session/all")).body.result.length, 1);
  });

  test("endOtherSessions ends one or all others at the next request, and leaves the own one", async (t) => {
    const app = await startTestApp(t, engine);
    const own = await firstSignIn(app);
    const others = [await signedInBrowser(app), await signedInBrowser(app), await signedInBrowser(app)];
    const statuses = () => Promise.all(others.map(async (other) => (await other.api("GET", "/user")).status));
    assert.deepEqual(await statuses(), [200, 200, 200]);
    const listed = (await own.request("GET", "/session/all")).body.result;
    const { id } = listed.find(({ is_current }: { is_current: boolean }) => !is_current);
    const one = await own.request("POST", "/session/end_others", { body: { id } });
    assert.deepEqual(one.body.result, { ended: 1 }, one.text);
    assert.equal((await statuses()).filter((status) => status === 200).length, 2);
    const all = await own.request("POST", "/session/end_others", { body: {} });
    assert.deepEqual(all.body.result, { ended: 2 });
    assert.deepEqual(new Set(await statuses()), new Set([401]));
    assert.equal((await own.api("GET", "/user")).status, 200);
    const log = await app.request("GET", "/user/audit_logs?action.type=sessions_end");
    assert.equal(log.body.result.length, 2);
  });

  test("nobody ends the sessions of somebody else, the own one, or any without a session", async (t) => {
    const app = await startTestApp(t, engine);
    const own = await firstSignIn(app);
    const [{ id }] = (await own.request("GET", "/session/all")).body.result;
    await addUser(app, "dora@example.com");
    const dora = openBrowser(app);
    const token = await addSignInLink(app, "dora@example.com");
    const signedIn = await dora.request("POST", "/session/first", { body: { token, password } });
    assert.equal(signedIn.status, 200, signedIn.text);
    const before = await storedRows(app);
    for (const body of [{ id }, {}])
      assert.deepEqual((await dora.request("POST", "/session/end_others", { body })).body.result, {
        ended: 0,
      });
    assert.deepEqual((await own.request("POST", "/session/end_others", { body: { id } })).body.result, {
      ended: 0,
    });
    const stranger = openBrowser(app);
    assert.equal((await stranger.request("GET", "/session/all")).status, 401);
    assert.equal((await stranger.request("POST", "/session/end_others", { body: {} })).status, 401);
    assert.equal((await own.request("POST", "/session/end_others", { body: { id: "x" } })).status, 400);
    assert.deepEqual(await storedRows(app), before);
  });
});
