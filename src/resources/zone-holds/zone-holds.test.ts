import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../../test/support/store.ts";
import { createZonePart, type PartRefusal, type ZonePart } from "../../../test/support/zone-parts.ts";

const started = "2026-01-02T03:04:05.678000Z";
const released = { hold: false, hold_after: null, include_subdomains: false };
const held = { hold: true, hold_after: started, include_subdomains: false };
const minute = 60_000;
const inAMinute = "2026-01-02T03:05:05.678Z";
const inAMinuteStored = "2026-01-02T03:05:05.678000Z";

interface TwoAccounts {
  /** The hold of `example.com`, a zone of the owner's first account. */
  readonly hold: ZonePart;
  readonly otherAccountId: string;
  /** Makes a zone, in the other account unless it says so: its name, or the code of the refusal. */
  create(name: string, accountId?: string): Promise<unknown>;
}

async function startWithTwoAccounts(app: TestApp): Promise<TwoAccounts> {
  const otherAccountId = await addAccount(app, "Other team", "accepted");
  const hold = await createZonePart(app, "hold");
  await app.request("PUT", `/zones/${hold.zoneId}/activation_check`);
  return {
    hold,
    otherAccountId,
    create: async (name, id = otherAccountId) => {
      const answer = await app.request("POST", "/zones", { body: { name, account: { id } } });
      return answer.body.errors[0]?.code ?? answer.body.result.name;
    },
  };
}

function badTime(place: string): PartRefusal {
  return {
    code: 1003,
    message: `Invalid ${place} \`hold_after\`: must be a time as in RFC 3339`,
    pointer: "/hold_after",
  };
}

onComparedEngines("zone holds", (engine) => {
  test("a zone is not held until createZoneHold, and deleteZoneHold releases it for good", async (t) => {
    const app = await startTestApp(t, engine);
    const hold = await createZonePart(app, "hold");
    assert.deepEqual(await hold.result("GET"), released);
    const answer = await hold.send("POST");
    assert.ok(answer.text.startsWith('{"result":{"hold":true,"hold_after":"2026-01-02T03:04:05.678000Z",'));
    app.advance(minute);
    assert.deepEqual(await hold.result("POST", "", {}), held);
    await app.restart();
    assert.deepEqual(await hold.result("GET"), held);
    assert.deepEqual(await hold.result("DELETE"), released);
    app.advance(1_000 * minute);
    assert.deepEqual(await hold.result("GET"), released);
  });

  test("a held name cannot be taken by another account, those below it can", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, create } = await startWithTwoAccounts(app);
    await hold.result("POST");
    assert.equal(await create("example.com"), 1120);
    assert.equal(await create("www.example.com"), "www.example.com");
    assert.equal(await create("notexample.com"), "notexample.com");
    await hold.result("DELETE");
    assert.equal(await create("example.com"), "example.com");
  });

  test("a zone that is not active holds nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const otherAccountId = await addAccount(app, "Other team", "accepted");
    const hold = await createZonePart(app, "hold");
    await hold.result("POST", "?include_subdomains=true");
    for (const name of ["example.com", "www.example.com"]) {
      const body = { name, account: { id: otherAccountId } };
      assert.equal((await app.request("POST", "/zones", { body })).status, 200);
    }
  });

  test("a hold keeps a zone from becoming active that another account made before", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, create } = await startWithTwoAccounts(app);
    await create("shop.example.com");
    const [zone] = (await app.request("GET", "/zones?name=shop.example.com")).body.result;
    const body = { type: "NS", name: "shop", content: zone.name_servers[0] };
    await app.request("POST", `/zones/${hold.zoneId}/dns_records`, { body });
    await hold.result("POST", "?include_subdomains=true");
    const check = async (): Promise<string> => {
      await app.request("PUT", `/zones/${zone.id}/activation_check`);
      return (await app.request("GET", `/zones/${zone.id}`)).body.result.status;
    };
    assert.equal(await check(), "pending");
    await hold.result("DELETE");
    assert.equal(await check(), "active");
    await hold.result("POST", "?include_subdomains=true");
    assert.equal(await check(), "active", "what is active remains so");
  });

  test("a hold with subdomains covers every name below, but not those of the same account", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, create } = await startWithTwoAccounts(app);
    const answer = await hold.result("POST", "?include_subdomains=true");
    assert.deepEqual(answer, { ...held, include_subdomains: true });
    for (const name of ["www.example.com", "a.b.example.com"]) assert.equal(await create(name), 1120);
    assert.equal(await create("notexample.com"), "notexample.com");
    assert.equal(await create("www.example.com", app.owner.accountId), "www.example.com");
    await hold.result("PATCH", "", { include_subdomains: false });
    assert.equal(await create("a.b.example.com"), "a.b.example.com");
  });

  test("a refused name makes no zone and says why", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, otherAccountId } = await startWithTwoAccounts(app);
    await hold.result("POST", "?include_subdomains=true");
    const zones = async () => (await app.request("GET", "/zones")).text;
    const before = await zones();
    const body = { name: "Shop.Example.com.", account: { id: otherAccountId } };
    const answer = await app.request("POST", "/zones", { body });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [
      {
        code: 1120,
        message:
          "The zone name provided is subject to a hold which disallows the creation of this zone. Please contact the domain owner to have this hold removed.",
        source: { pointer: "/name" },
      },
    ]);
    assert.equal(await zones(), before);
  });

  test("a release with a time ends by itself then", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, create } = await startWithTwoAccounts(app);
    await hold.result("POST", "?include_subdomains=true");
    const answer = await hold.result("DELETE", `?hold_after=${inAMinute}`);
    assert.deepEqual(answer, { hold: false, hold_after: inAMinuteStored, include_subdomains: true });
    assert.equal(await create("a.example.com"), "a.example.com");
    app.advance(minute);
    assert.deepEqual(await hold.result("GET"), {
      hold: true,
      hold_after: inAMinuteStored,
      include_subdomains: true,
    });
    assert.equal(await create("b.example.com"), 1120);
  });

  test("editZoneHold reads a time to come, one that has passed, an empty text and null", async (t) => {
    const app = await startTestApp(t, engine);
    const hold = await createZonePart(app, "hold");
    const patch = (hold_after: string | null) => hold.result("PATCH", "", { hold_after });
    const past = "2020-01-01T01:00:00+01:00";
    assert.deepEqual(await patch(past), { ...held, hold_after: "2020-01-01T00:00:00Z" });
    assert.deepEqual(await patch(null), released);
    assert.deepEqual(await patch(""), held);
    assert.deepEqual(await patch(past), held);
    assert.deepEqual(await patch(inAMinute), { ...released, hold_after: inAMinuteStored });
    assert.deepEqual(await hold.result("PATCH", "", {}), { ...released, hold_after: inAMinuteStored });
  });

  test("a time of another form is refused", async (t) => {
    const app = await startTestApp(t, engine);
    const hold = await createZonePart(app, "hold");
    await hold.result("POST");
    for (const time of ["tomorrow", "2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05"]) {
      await hold.refuses("PATCH", "", { hold_after: time }, badTime("body"));
      await hold.refuses("DELETE", `?hold_after=${time}`, undefined, badTime("query parameter"));
    }
  });

  test("only a zone on Enterprise can be held, and any can be released", async (t) => {
    const app = await startTestApp(t, engine);
    const hold = await createZonePart(app, "hold", { plan: "business" });
    const refusal = { code: 1070, message: "This operation requires an Enterprise account." };
    await hold.refuses("POST", "", undefined, refusal);
    await hold.refuses("PATCH", "", { hold_after: "" }, refusal);
    await hold.setPlan("enterprise");
    await hold.result("POST");
    await hold.setPlan("free");
    assert.deepEqual(await hold.result("GET"), held);
    assert.deepEqual(await hold.result("DELETE"), released);
  });

  test("the hold of somebody else's zone is not found", async (t) => {
    const app = await startTestApp(t, engine);
    const account_id = await addAccount(app, "Foreign");
    const foreign = await addZone(app, "foreign.example", { account_id, plan: "enterprise" });
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { hold_after: "" } : undefined;
      const answer = await app.request(method, `/zones/${foreign}/hold`, { body });
      assert.equal(answer.status, 404, method);
      assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid zone identifier" }]);
    }
    const rows = await besideServer(app, (tx) => tx.selectFrom("zone_holds").selectAll().execute());
    assert.deepEqual(rows, []);
  });

  test("a hold goes with its zone", async (t) => {
    const app = await startTestApp(t, engine);
    const { hold, create } = await startWithTwoAccounts(app);
    await hold.result("POST", "?include_subdomains=true");
    await app.request("DELETE", `/zones/${hold.zoneId}`);
    assert.equal(await create("www.example.com"), "www.example.com");
    assert.equal(await create("example.com"), "example.com");
  });
});
