import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";

onComparedEngines("the number of DNS records in use", (engine) => {
  const server = shareApp(engine);

  test("is told of a zone, and of all zones of an account", async (t) => {
    const app = server();
    let count = 0;
    const usage = async (path: string): Promise<unknown> => {
      const { body } = await app.request("GET", `${path}/dns_records/usage`);
      return body.result;
    };
    const account = `/accounts/${app.owner.accountId}`;
    assert.deepEqual(await usage(account), { record_quota: null, record_usage: 0 });

    const one = await createDnsZone(t, app, "one.example");
    const two = await createDnsZone(t, app, "two.example");
    for (const zone of [one, two, two])
      await zone.create({ type: "TXT", name: "@", content: `${(count += 1)}` });
    assert.deepEqual(await usage(`/zones/${two.id}`), { record_quota: null, record_usage: 2 });
    assert.deepEqual(await usage(account), { record_quota: null, record_usage: 3 });
  });
});
