import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../support/harness.ts";
import { managed, managedRulesetId, zoneRulesets } from "../support/ruleset-api.ts";

// Sent by the providers.
const phase = "http_request_firewall_managed";
const rule = {
  action: "execute",
  expression: "true",
  description: "Managed rules",
  enabled: true,
  action_parameters: { id: managedRulesetId, overrides: { enabled: true, categories: [] } },
};

onComparedEngines("requests of the Terraform providers", (engine) => {
  test("version 4 makes a ruleset where there is an empty one, updates, reads and deletes it", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    await api.refuses("GET", managed, undefined, { status: 404, code: 10003 });
    const left = await api.result("PUT", managed, { rules: [] });

    const found = await api.result("GET", managed);
    assert.deepEqual([found.id, found.kind, found.rules, found.description], [left.id, "zone", [], ""]);
    assert.equal((await api.send("DELETE", `/${left.id}`)).text, "");
    const created = await api.result("POST", "", {
      name: "zone",
      description: "WAF",
      kind: "zone",
      phase,
      rules: [rule],
    });
    const saved = await api.result("PUT", managed, { description: "WAF", rules: [rule] });
    assert.deepEqual([saved.id, saved.name, saved.version], [created.id, "zone", "2"]);

    const [state] = saved.rules;
    const updated = await api.result("PUT", `/${created.id}`, {
      id: created.id,
      name: "zone",
      description: "WAF",
      kind: "zone",
      phase,
      version: saved.version,
      last_updated: saved.last_updated,
      rules: [{ ...state, expression: "ssl" }, rule],
    });
    assert.deepEqual([updated.rules[0].id, updated.rules[0].version], [state.id, "2"]);
    assert.deepEqual(await api.result("GET", `/${created.id}`), updated);
    const deleted = await api.send("DELETE", `/${created.id}`);
    assert.deepEqual([deleted.status, deleted.text], [204, ""]);
    assert.equal((await api.send("GET", `/${created.id}`)).status, 404);
  });

  test("version 5 makes a ruleset, replaces it by references, reads and deletes it", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const body = { kind: "zone", name: "default", phase, rules: [{ ...rule, ref: "managed" }] };
    const created = await api.result("POST", "", body);
    for (const name of ["id", "kind", "name", "phase", "description", "version", "last_updated", "rules"]) {
      assert.ok(name in created, name);
    }
    const replaced = await api.result("PUT", `/${created.id}`, {
      ...body,
      rules: [{ ...rule, ref: "managed", enabled: false }],
    });
    assert.equal(replaced.rules[0].id, created.rules[0].id);
    assert.deepEqual(await api.result("GET", `/${created.id}`), replaced);
    assert.equal((await api.send("DELETE", `/${created.id}`)).status, 204);
  });
});
