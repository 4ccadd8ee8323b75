import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare from "cloudflare";
import type { AuditLog } from "cloudflare/resources/shared";

import { onComparedEngines, ownerEmail, ownerToken, startTestApp } from "../support/harness.ts";

onComparedEngines("the npm package cloudflare", (engine) => {
  test("walks through the audit logs of an account and of a user, with all of its filters", async (t) => {
    const app = await startTestApp(t, engine);
    const client = new Cloudflare({ apiToken: ownerToken, baseURL: app.baseUrl, maxRetries: 0 });
    const account_id = app.owner.accountId;
    const { id: zone_id } = await client.zones.create({ name: "example.com", account: { id: account_id } });
    for (const content of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      await client.dns.records.create({ zone_id, type: "A", name: "www.example.com", content, ttl: 300 });
    }
    await client.zones.delete({ zone_id });

    const entries: AuditLog[] = [];
    for await (const entry of client.auditLogs.list({ account_id, per_page: 2 })) entries.push(entry);
    assert.deepEqual(
      entries.map(({ action }) => action?.type),
      ["zone_delete", "rec_add", "rec_add", "rec_add", "zone_add"],
    );
    const [, newest] = entries;
    assert.ok(newest?.id !== undefined);
    assert.deepEqual([newest.interface, newest.actor?.email], ["API", ownerEmail]);
    assert.equal(JSON.parse(newest.newValue ?? "").content, "192.0.2.3");

    const found = await client.auditLogs.list({
      account_id,
      id: newest.id,
      action: { type: "rec_add" },
      actor: { email: ownerEmail, ip: "127.0.0.0/8" },
      zone: { name: "example.com" },
      since: "2026-01-02",
      before: "2026-01-03T00:00:00Z",
      direction: "asc",
      export: true,
      hide_user_logs: true,
    });
    assert.deepEqual(found.result, [newest]);
    assert.deepEqual((await client.auditLogs.list({ account_id, before: "2026-01-02" })).result, []);

    assert.deepEqual((await client.user.auditLogs.list()).result, []);
    const policy = {
      effect: "allow" as const,
      resources: { "com.cloudflare.api.account.zone.*": "*" },
      permission_groups: [{ id: "c8fed203ed3043cba015a93ad1616f1f" }],
    };
    const token = await client.user.tokens.create({ name: "A token", policies: [policy] });
    const [made] = (await client.user.auditLogs.list({ action: { type: "token_create" } })).result;
    assert.deepEqual(made?.resource, { id: token.id, type: "token" });
  });
});
