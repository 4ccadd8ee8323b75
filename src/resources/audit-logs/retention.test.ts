import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, until, type TestApp } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import { pruneAuditLogs } from "./audit-logs.ts";

const day = 24 * 60 * 60 * 1000;

async function loggedZones(app: TestApp): Promise<string[]> {
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?direction=asc`);
  return body.result.map(({ metadata }: { metadata: { zone_name: string } }) => metadata.zone_name);
}

onComparedEngines("pruneAuditLogs", (engine) => {
  test("a server deletes entries that are older than `audit_log_days`, and nothing else", async (t) => {
    const app = await startTestApp(t, engine, { audit_log_days: 30 }, { auditLogRoundMs: 10 });
    const oldZone = await app.createZone("old.example");
    app.advance(30 * day);
    await app.createZone("new.example");
    assert.deepEqual(await loggedZones(app), ["old.example", "new.example"]);
    app.advance(1);
    await until("the old entry is gone", async () => (await loggedZones(app)).length === 1);
    assert.deepEqual(await loggedZones(app), ["new.example"]);
    assert.equal((await app.request("GET", `/zones/${oldZone}`)).status, 200);
  });

  test("0 keeps all, and a call deletes a thousand at most, the oldest first", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    for (let batch = 0; batch < 6; batch += 1) {
      app.advance(day);
      const name = `n${batch}.example.com`;
      const posts = Array.from({ length: 200 }, (_, n) => ({ type: "A", name, content: `192.0.2.${n}` }));
      const path = `/zones/${zoneId}/dns_records/batch`;
      const { status, text } = await app.request("POST", path, { body: { posts } });
      assert.equal(status, 200, text);
    }
    const total = async (): Promise<number | undefined> =>
      (await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs`)).body.result_info?.total_count;
    assert.equal(await total(), 1_201);
    const context = { db: await openStore(t, app), now: () => new Date("2126-01-01T00:00:00Z") };
    await pruneAuditLogs(context, 0);
    assert.equal(await total(), 1_201);
    await pruneAuditLogs(context, 1);
    assert.equal(await total(), 201);
    const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?direction=asc`);
    assert.deepEqual(
      [body.result[0].newValueJson.name, body.result[0].newValueJson.content],
      ["n4.example.com", "192.0.2.199"],
    );
    await pruneAuditLogs(context, 1);
    assert.equal(await total(), 0);
  });
});
