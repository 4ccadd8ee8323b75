import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp, until, type TestApp } from "../../../test/support/harness.ts";
import { listApi } from "../../../test/support/list-api.ts";
import { besideServer } from "../../../test/support/store.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { ListOperationRow } from "../../storage/schema/lists.ts";

const manyAddresses = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return { ip: `10.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}` };
  });

/** An operation as an earlier process left it. */
async function leaveOperation(app: TestApp, listId: string, status: "pending" | "running"): Promise<string> {
  const created_on = toTimestamp(new Date("2026-01-02T03:04:05.678Z"));
  const id = "f".repeat(32);
  const row: ListOperationRow = {
    id,
    account_id: app.owner.accountId,
    list_id: listId,
    status,
    error: null,
    change: toJson({
      kind: "append",
      plan: "enterprise",
      items: [{ value: { ip: "192.0.2.1" }, key: "4:c0000201/032", searched: "192.0.2.1" }],
    }),
    requested_by: toJson({
      user: { id: app.owner.userId, email: app.owner.email },
      credential: { kind: "key" },
      address: "192.0.2.9",
    }),
    created_on,
    ended_on: null,
  };
  await besideServer(app, (tx) => tx.insertInto("list_operations").values(row).execute());
  return id;
}

onEachEngine("bulk operations on lists", (engine) => {
  test("on many items end after the answer, all items at once, with their entry in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const api = listApi(app);
    const list = await api.create("ip", "large");
    const answer = await app.request("POST", api.items(list), { body: manyAddresses(12_000) });
    assert.equal(answer.status, 200, answer.text);
    const ended = await api.ended(answer);
    const { operation_id } = answer.body.result;
    assert.deepEqual(ended, {
      id: operation_id,
      status: "completed",
      completed: "2026-01-02T03:04:05.678000Z",
    });
    assert.equal((await api.read(list)).num_items, 12_000);
    const last = await app.request("GET", `${api.items(list)}?search=10.0.46.223`);
    assert.equal(last.body.result.length, 1);

    await api.change("PUT", list, manyAddresses(3, 20_000));
    assert.equal((await api.read(list)).num_items, 3);
    const gone = await api.create("ip", "gone");
    await api.change("POST", gone, manyAddresses(2_000));
    assert.deepEqual((await app.request("DELETE", `${api.base}/${gone}`)).body.result, { id: gone });
    assert.equal((await app.request("GET", `${api.base}/${gone}`)).status, 404);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs`);
    const entries = log.body.result.filter(
      (entry: { action: { type: string } }) => entry.action.type === "list_items_change",
    );
    assert.deepEqual(
      entries.map(({ actor, metadata }: { actor: { email: string }; metadata: { removed: number } }) => [
        actor.email,
        metadata.removed,
      ]),
      [
        [app.owner.email, 0],
        [app.owner.email, 12_000],
        [app.owner.email, 0],
      ],
    );
  });

  test("are one at a time in an account: others are refused until it has ended, and nothing changes", async (t) => {
    const app = await startTestApp(t, engine);
    const api = listApi(app);
    const [list, other] = [await api.create("ip", "one"), await api.create("ip", "other")];
    const first = await app.request("POST", api.items(list), { body: manyAddresses(12_000) });
    const body = [{ ip: "192.0.2.1" }];
    const refused = await Promise.all([
      app.request("POST", api.items(other), { body }),
      app.request("PUT", api.items(list), { body }),
      app.request("DELETE", `${api.base}/${list}`),
    ]);
    // The first one may have ended before one of these was looked at.
    const { status } = await api.ended(first);
    assert.equal(status, "completed");
    for (const answer of refused) {
      if (answer.status === 200) continue;
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [429, 10032], answer.text);
    }
    await api.change("POST", other, body);
  });

  test("that an earlier process left behind, begun or not, are done by the next", async (t) => {
    for (const status of ["pending", "running"] as const) {
      const app = await startTestApp(t, engine);
      const api = listApi(app);
      const list = await api.create("ip", "left");
      const id = await leaveOperation(app, list, status);
      const refused = await app.request("POST", api.items(list), { body: [{ ip: "192.0.2.2" }] });
      if (refused.status !== 200) assert.equal(refused.status, 429);
      await app.restart();
      const path = `${api.base}/bulk_operations/${id}`;
      await until(
        "it has ended",
        async () => (await app.request("GET", path)).body.result.status === "completed",
      );
      const found = await app.request("GET", `${api.items(list)}?search=192.0.2.1`);
      assert.equal(found.body.result.length, 1);
      await app.close();
    }
  });

  test("that would exceed what the account may have fail, say why and change nothing", async (t) => {
    const app = await startTestApp(t, engine, { default_plan: "free" });
    const api = listApi(app);
    const list = await api.create("ip", "full");
    await api.change("POST", list, manyAddresses(9_999));
    const small = await api.ended(
      await app.request("POST", api.items(list), { body: manyAddresses(3, 9_998) }),
    );
    const large = await api.ended(
      await app.request("POST", api.items(list), { body: manyAddresses(2_000, 9_000) }),
    );
    for (const { status, error } of [small, large]) {
      assert.equal(status, "failed");
      assert.match(error ?? "", /at most 10000 items/);
    }
    assert.equal((await api.read(list)).num_items, 9_999);
    await api.change("POST", list, manyAddresses(2, 9_998));
    assert.equal((await api.read(list)).num_items, 10_000);
    await api.change("PUT", list, manyAddresses(10_000, 50_000));
    assert.equal((await api.read(list)).num_items, 10_000);
  });

  test("can be asked for seven days after they have ended", async (t) => {
    const app = await startTestApp(t, engine);
    const api = listApi(app);
    const list = await api.create("ip", "aged");
    const change = async () =>
      (await app.request("PUT", api.items(list), { body: [] })).body.result.operation_id as string;
    const first = await change();
    app.advance(6 * 24 * 60 * 60 * 1_000);
    const second = await change();
    const statusOf = async (id: string) =>
      (await app.request("GET", `${api.base}/bulk_operations/${id}`)).status;
    assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200]);
    app.advance(2 * 24 * 60 * 60 * 1_000);
    await change();
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
  });
});
