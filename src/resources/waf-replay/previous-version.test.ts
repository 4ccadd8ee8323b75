import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import {
  harOf,
  owaspPackageId,
  reportOf,
  scriptInjection,
  traditionalPackageId,
  sqlInjection,
  zoneOf,
} from "../../../test/support/replay-api.ts";

onEachEngine("the previous version in a replay", (engine) => {
  test("heeds its setting, page rules, bypasses, modes and sensitivity", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const packages = "/firewall/waf/packages";
    const verdict = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
      const report = await reportOf(app, zone.id, harOf({ url, headers }));
      const shown = Object.entries(report.previous as Record<string, number>).find(([, count]) => count > 0);
      return shown?.[0];
    };
    const attack = `https://www.example.com/a${scriptInjection.slice(1)}`;
    assert.equal(await verdict(attack), "block");

    const rule = await zone.send("POST", "/pagerules", {
      targets: [{ target: "url", constraint: { operator: "matches", value: "*example.com/a*" } }],
      actions: [{ id: "disable_security" }],
      status: "active",
    });
    assert.equal(await verdict(attack), "pass");
    await zone.send("DELETE", `/pagerules/${rule.id}`, undefined);
    const [bypass] = await zone.send("POST", "/firewall/rules", [
      {
        action: "bypass",
        products: ["waf"],
        filter: {
          expression: `http.host eq "www.example.com" and ${'http.host ne "x" and '.repeat(250)}ssl`,
        },
      },
    ]);
    assert.equal(await verdict(attack), "pass");
    await zone.send("DELETE", `/firewall/rules/${bypass.id}`, undefined);
    assert.equal(await verdict(attack), "block");

    await zone.send("PATCH", `${packages}/${owaspPackageId}`, { sensitivity: "off" });
    const groups = await zone.send(
      "GET",
      `${packages}/${traditionalPackageId}/groups?name=Cloudflare%20Specials`,
      undefined,
    );
    await zone.send("PATCH", `${packages}/${traditionalPackageId}/groups/${groups[0].id}`, { mode: "off" });
    assert.equal(await verdict(attack), "pass");
    await zone.send("PATCH", `${packages}/${owaspPackageId}`, {
      sensitivity: "high",
      action_mode: "challenge",
    });
    const scored = `https://www.example.com${sqlInjection}`;
    const levels = (await reportOf(app, zone.id, harOf({ url: scored }))).owasp_scores;
    assert.ok(levels[1].highest >= 25 && levels[1].highest < 65);
    assert.equal(await verdict(scored), "challenge");
    // Requests of scripts need a higher sum, as much of what they hold looks like an attack.
    assert.equal(await verdict(scored, { "X-Requested-With": "XMLHttpRequest" }), "pass");
    await zone.send("PATCH", `${packages}/${owaspPackageId}/rules/981176`, { mode: "off" });
    assert.equal(await verdict(scored), "pass");

    await zone.send("PATCH", "/settings/waf", { value: "off" });
    assert.equal(await verdict(attack), "pass");
  });
});
