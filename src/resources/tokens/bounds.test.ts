import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addToken, besideServer, storedRows } from "../../../test/support/store.ts";
import { bearer, dnsRead, policy } from "../../../test/support/token-api.ts";
import { toJson } from "../../storage/columns.ts";

const rangesMax = 100;
const policiesMax = 300;

const policies = (count: number) => Array.from({ length: count }, () => policy({}));
const ranges = (count: number) => ["127.0.0.1/32", ...Array.from({ length: count - 1 }, () => "10.0.0.0/8")];

onComparedEngines("a token", (engine) => {
  test(`takes ${policiesMax} policies and ${rangesMax} ranges in a list, when it is created and when it is replaced`, async (t) => {
    const app = await startTestApp(t, engine);
    const accepted = {
      name: "large",
      policies: policies(policiesMax),
      condition: { "request.ip": { in: ranges(rangesMax), not_in: ranges(rangesMax).slice(1) } },
    };
    const made = await app.request("POST", "/user/tokens", { body: accepted });
    assert.equal(made.status, 200, made.text);
    const { id, value } = made.body.result;
    const path = `/user/tokens/${id}`;
    assert.equal((await app.request("PUT", path, { body: accepted })).status, 200);
    assert.equal((await app.request("GET", "/zones", { headers: bearer(value) })).status, 200);

    const before = await storedRows(app);
    for (const [tooMany, pointer] of [
      [{ policies: policies(policiesMax + 1) }, "/policies"],
      ...["request.ip", "request_ip"].flatMap((key) =>
        ["in", "not_in"].map(
          (list) =>
            [
              { condition: { [key]: { [list]: ranges(rangesMax + 1) } } },
              `/condition/${key}/${list}`,
            ] as const,
        ),
      ),
    ] as const) {
      const body = { ...accepted, ...tooMany };
      for (const [method, where] of [
        ["POST", "/user/tokens"],
        ["PUT", path],
        ["POST", `/accounts/${app.owner.accountId}/tokens`],
      ] as const) {
        const { status, body: answer } = await app.request(method, where, { body });
        const [error] = answer.errors;
        assert.deepEqual([status, error?.code, error?.source?.pointer], [400, 1001, pointer], where);
      }
    }
    assert.deepEqual(await storedRows(app), before);
  });

  test("that is stored with more of them still works", async (t) => {
    const app = await startTestApp(t, engine);
    const large = Array.from({ length: policiesMax + 1 }, () => ({
      resources: [{ type: "zone", id: "*" } as const],
      groupIds: [dnsRead],
    }));
    const headers = await addToken(app, app.owner.userId, large);
    const condition = { in: ranges(rangesMax + 1), sentAs: ["request.ip"] as const };
    await besideServer(app, (tx) =>
      tx
        .updateTable("tokens")
        .set({ condition: toJson(condition) })
        .where("name", "!=", "Owner token")
        .execute(),
    );
    assert.equal((await app.request("GET", "/zones", { headers })).status, 200);
    const list = await app.request("GET", "/user/tokens");
    const token = list.body.result.find(
      ({ policies: { length } }: { policies: unknown[] }) => length > policiesMax,
    );
    assert.equal(token.condition["request.ip"].in.length, rangesMax + 1);
    const rolled = await app.request("PUT", `/user/tokens/${token.id}/value`, { body: {} });
    assert.equal((await app.request("GET", "/zones", { headers: bearer(rolled.body.result) })).status, 200);
  });
});
