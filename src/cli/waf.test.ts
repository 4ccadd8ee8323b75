import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../test/harness.ts";
import { runCommand } from "../../test/spawned-server.ts";

onEachEngine("zoneward waf plan, beside a server", (engine) => {
  test("says what a migration would do and what stands in its way, and changes nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const id = await app.createZone("example.com");
    const store =
      app.config.database === undefined ? `--data=${app.config.data}` : `--database=${app.config.database}`;
    const plan = (...args: readonly string[]) => runCommand(["waf", "plan", store, ...args]);
    const rule = {
      action: "bypass",
      products: ["waf"],
      filter: { expression: 'http.host eq "a.example.com"' },
    };
    await app.request("POST", `/zones/${id}/firewall/rules`, { body: [rule] });

    const text = await plan("--zone", "example.com");
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^example\.com \(enterprise, migration state start\)\nIt can migrate\.\n/);
    assert.match(text.stdout, /bypass WAF Managed Rules\n    becomes a skip rule with the same expression/);
    assert.match(text.stdout, / 1\. skip  http\.host eq "a\.example\.com"/);

    await app.request("POST", `/zones/${id}/firewall/waf/overrides`, { body: { urls: ["example.com/*"] } });
    const json = await plan("--zone", id, "--json");
    const { eligible, obstacles, zone } = JSON.parse(json.stdout);
    assert.deepEqual([eligible, obstacles[0].code, zone.name], [false, 40001, "example.com"]);
    const { body } = await app.request("GET", `/zones/${id}/waf_migration/status`);
    assert.equal(body.result.migration_state, "start");

    for (const [args, message] of [
      [["--zone", "example.org"], /Invalid zone identifier/],
      [[], /--zone: needs/],
    ] as const) {
      const { code, stdout, stderr } = await plan(...args);
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      assert.match(stderr, message);
    }
  });
});
