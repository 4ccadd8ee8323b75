import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { BadRequestError } from "cloudflare";

import { onComparedEngines, ownerToken, startTestApp } from "../support/harness.ts";

onComparedEngines("the npm package cloudflare and lists", (engine) => {
  test("creates, fills, walks, edits and deletes them", async (t) => {
    const app = await startTestApp(t, engine);
    const { lists } = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken, maxRetries: 0 }).rules;
    const { accountId: account_id } = app.owner;
    const list = await lists.create({ account_id, kind: "ip", name: "office", description: "Here" });
    assert.deepEqual([list.kind, list.name, list.num_items], ["ip", "office", 0]);

    const addresses = Array.from({ length: 60 }, (_, index) => `192.0.2.${index}`);
    const body = addresses.map((ip) => ({ ip, comment: `desk ${ip}` }));
    const { operation_id } = await lists.items.create(list.id, { account_id, body });
    const operation = await lists.bulkOperations.get(operation_id, { account_id });
    assert.ok(operation.status === "completed");
    assert.ok(operation.completed);

    const walked = [];
    for await (const item of lists.items.list(list.id, { account_id })) walked.push(item);
    assert.deepEqual(
      walked.map((item) => ("ip" in item ? item.ip : "")),
      addresses,
    );
    const [first] = walked;
    assert.ok(first);
    assert.deepEqual(await lists.items.get(first.id, { account_id, list_id: list.id }), first);
    await lists.items.delete(list.id, { account_id, items: [{ id: first.id }] });
    assert.equal((await lists.get(list.id, { account_id })).num_items, 59);
    await lists.items.update(list.id, { account_id, body: [{ ip: "198.51.100.0/24" }] });
    const found = await lists.items.list(list.id, { account_id, search: "198.51" });
    assert.equal(found.result.length, 1);

    assert.equal((await lists.update(list.id, { account_id, description: "There" })).description, "There");
    const names = [];
    for await (const { name } of lists.list({ account_id })) names.push(name);
    assert.deepEqual(names, ["office"]);
    await assert.rejects(lists.create({ account_id, kind: "ip", name: "office" }), BadRequestError);
    assert.deepEqual(await lists.delete(list.id, { account_id }), { id: list.id });
  });
});
