import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";

onComparedEngines("listMemberPermissionGroups", (engine) => {
  test("lists roles and the groups of tokens, found by id, name and label, and got one by one", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}/iam/permission_groups`;
    const all = (await app.request("GET", `${path}?per_page=1000`)).body;
    assert.ok(all.result.length > 300);
    assert.equal(new Set(all.result.map(({ id }: { id: string }) => id)).size, all.result_info?.total_count);
    assert.equal(new Set(all.result.map(({ name }: { name: string }) => name)).size, all.result.length);
    const cases = [
      ["name=logs read", ["Logs Read"]],
      // The group for accounts: a list by name has the one for zones.
      ["id=6a315a56f18441e59ed03352369ae956", ["Logs Read"]],
      ["label=all_privileges", ["Super Administrator - All Privileges"]],
      ["label=admin", ["Administrator"]],
      ["label=domain_admin_readonly", ["Domain Administrator Read Only"]],
      ["name=dns", ["DNS"]],
      ["id=82e64a83756745bbbb1c9c2701bf816b", ["DNS Read"]],
      ["label=nothing", []],
    ] as const;
    for (const [query, names] of cases) {
      await t.test(`query ${query}`, async () => {
        const { body } = await app.request("GET", `${path}?${query}`);
        assert.deepEqual(
          body.result.map(({ name }: { name: string }) => name),
          names,
          query,
        );
        assert.equal(body.result_info?.total_count, names.length);
      });
    }
    const [shown] = (await app.request("GET", `${path}?label=all_privileges`)).body.result;
    assert.deepEqual(shown, {
      id: "8e23b19e4e0d44c29d239c5688ba8cbb",
      name: "Super Administrator - All Privileges",
      meta: {
        description: "Can do everything in the account, its members and billing included.",
        editable: "false",
        label: "all_privileges",
        scopes: "com.cloudflare.api.account",
      },
    });
    assert.deepEqual((await app.request("GET", `${path}/${shown.id}`)).body.result, shown);
    const unknown = await app.request("GET", `${path}/${"0".repeat(32)}`);
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.code], [404, 1003]);
    const second = (await app.request("GET", `${path}?page=2&per_page=5`)).body.result;
    assert.deepEqual(second, all.result.slice(5, 10));
  });
});
