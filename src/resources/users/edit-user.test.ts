import assert from "node:assert/strict";
import { test } from "node:test";

import { byToken, onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addToken, besideServer } from "../../../test/support/store.ts";
import { user } from "../../core/policy/permission-groups.ts";

const nothing = { first_name: null, last_name: null, telephone: null, country: null, zipcode: null };

async function profile(app: TestApp) {
  const { first_name, last_name, telephone, country, zipcode } = (await app.request("GET", "/user")).body
    .result;
  return { first_name, last_name, telephone, country, zipcode };
}

async function logged(app: TestApp) {
  return besideServer(app, (tx) =>
    tx.selectFrom("audit_logs").selectAll().where("user_id", "=", app.owner.userId).execute(),
  );
}

onComparedEngines("editUser", (engine) => {
  test("what is sent is changed, what is left out stays, null takes back, and each change is logged", async (t) => {
    const app = await startTestApp(t, engine);
    app.advance(1_000);
    const all = { first_name: "John", last_name: "Doe", telephone: "+1 234", country: "US", zipcode: "1234" };
    const edited = await app.request("PATCH", "/user", {
      body: { ...all, email: "other@example.com", id: "x" },
    });
    assert.equal(edited.status, 200, edited.text);
    assert.equal(edited.body.result.modified_on, "2026-01-02T03:04:06.678000Z");
    assert.equal(edited.body.result.email, app.owner.email);
    assert.equal((await app.request("GET", "/user")).text, edited.text);
    assert.deepEqual(await profile(app), all);
    await app.request("PATCH", "/user", { body: { country: null, first_name: "Jo" } });
    assert.deepEqual(await profile(app), { ...all, country: null, first_name: "Jo" });
    for (const body of [{}, { first_name: "Jo" }]) {
      assert.equal((await app.request("PATCH", "/user", { body })).status, 200);
    }
    const [first, ...others] = await logged(app);
    assert.deepEqual([first?.action_type, first?.resource_type, others.length], ["user_edit", "user", 1]);
  });

  test("what is too long or no text is refused with its place, and nothing changes", async (t) => {
    const app = await startTestApp(t, engine);
    const cases = [
      [{ first_name: "x".repeat(61), last_name: "Doe" }, "/first_name"],
      [{ last_name: 7 }, "/last_name"],
      [{ telephone: "1".repeat(21) }, "/telephone"],
      [{ country: "x".repeat(31) }, "/country"],
      [{ zipcode: "1\0" }, "/zipcode"],
    ] as const;
    for (const [body, pointer] of cases)
      await t.test(`${pointer} of ${JSON.stringify(body).slice(0, 80)}`, async () => {
        const { status, body: answer } = await app.request("PATCH", "/user", { body });
        assert.equal(status, 400);
        assert.deepEqual([answer.errors[0]?.code, answer.errors[0]?.source?.pointer], [1003, pointer]);
      });
    assert.deepEqual(await profile(app), nothing);
    assert.deepEqual(await logged(app), []);
  });

  test("a token that may only read the user changes nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const { userId } = app.owner;
    const headers = await addToken(app, userId, [
      { resources: [{ type: "user", id: userId }], groupIds: [user("User Details Read").id] },
    ]);
    assert.equal((await app.request("GET", "/user", { headers })).status, 200);
    const refused = await app.request("PATCH", "/user", { headers, body: { first_name: "Eve" } });
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [403, 9109]);
    assert.deepEqual(await profile(app), nothing);
    assert.equal((await app.request("PATCH", "/user", { headers: byToken, body: {} })).status, 200);
  });
});
