import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startTestApp } from "../../../test/support/harness.ts";

describe("listPermissionGroups", () => {
  test("answers every group with its scope, all at once, or those of a name or a scope", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const namesAt = async (query: string): Promise<{ name: string; scopes: string[] }[]> => {
      const { status, body } = await app.request("GET", `/user/tokens/permission_groups${query}`);
      assert.equal(status, 200);
      assert.equal(body.result_info, undefined);
      return body.result;
    };
    const all = await namesAt("");
    assert.equal(all.length, 350);
    assert.deepEqual(Object.keys(all[0] ?? {}), ["id", "name", "scopes"]);
    assert.deepEqual(await namesAt("?name=dns%20read"), [
      {
        id: "82e64a83756745bbbb1c9c2701bf816b",
        name: "DNS Read",
        scopes: ["com.cloudflare.api.account.zone"],
      },
    ]);
    const insights = "?name=Zone%20Security%20Center%20Insights%20Read&scope=com.cloudflare.api.account.zone";
    assert.deepEqual(
      (await namesAt(insights)).map(({ name }) => name),
      ["Zone Security Center Insights Read"],
    );
    assert.deepEqual(await namesAt("?name=DNS%20Read&scope=com.cloudflare.api.account"), []);
    // Terraform encodes a name that its documents say to write encoded.
    assert.deepEqual(await namesAt("?name=DNS%2520Read"), await namesAt("?name=DNS%20Read"));
    assert.deepEqual(await namesAt("?name=100%25"), []);
    const counts = { user: 6, account: 252, "account.zone": 90 };
    for (const [scope, count] of Object.entries(counts)) {
      assert.equal((await namesAt(`?scope=com.cloudflare.api.${scope}`)).length, count);
    }
    assert.equal((await namesAt("?scope=com.cloudflare.edge.r2.bucket")).length, 2);
    assert.deepEqual(await namesAt("?name=none"), []);
    const ofAccount = await app.request("GET", `/accounts/${app.owner.accountId}/tokens/permission_groups`);
    assert.deepEqual(ofAccount.body.result, all);
  });

  test("names the brand of the setting", async (t) => {
    const app = await startTestApp(t, "sqlite", { vendor: "acme" });
    const { body } = await app.request("GET", "/user/tokens/permission_groups?name=Zone%20Read");
    assert.deepEqual(body.result[0].scopes, ["com.acme.api.account.zone"]);
    const made = await app.request("POST", "/user/tokens", {
      body: {
        name: "t",
        policies: [
          {
            effect: "allow",
            resources: { "com.acme.api.account.zone.*": "*" },
            permission_groups: [{ id: body.result[0].id }],
          },
        ],
      },
    });
    assert.deepEqual(made.body.result.policies[0].resources, { "com.acme.api.account.zone.*": "*" });
  });
});
