import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { pino } from "pino";

import { onEachEngine, startTestApp, until, type Engine } from "../../test/support/harness.ts";
import { openStore } from "../../test/support/store.ts";
import { ServedEdgeZones } from "./edge-zones.ts";
import { createContext, createSecrets } from "./open-store.ts";
import { createRulesetContext } from "./ruleset-context.ts";

/** An API beside zones as an edge serves them, and the expressions that were compiled for them. */
async function startZones(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const block = async (zoneId: string, path: string): Promise<void> => {
    const expression = `http.request.uri.path eq "${path}"`;
    const { body } = await app.request(
      "PUT",
      `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`,
      { body: { rules: [{ action: "block", expression }] } },
    );
    assert.ok(body.success, JSON.stringify(body));
  };
  const addZone = async (name: string): Promise<string> => {
    const zoneId = await app.createZone(name);
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    await block(zoneId, `/${name}`);
    return zoneId;
  };
  const compiled: string[] = [];
  const context = createRulesetContext(createContext(await openStore(t, app)), app.config.vendor);
  const loadExpressionEngine: typeof context.loadExpressionEngine = async () => {
    const expressions = await context.loadExpressionEngine();
    return {
      ...expressions,
      compileFilter: (source, options) => {
        compiled.push(source);
        return expressions.compileFilter(source, options);
      },
    };
  };
  const zones = new ServedEdgeZones(
    { ...context, loadExpressionEngine, secretBox: createSecrets(app.config) },
    pino({ level: "silent" }),
  );
  t.after(() => zones.stop());
  return { addZone, block, zones, compiled };
}

onEachEngine("the zones of an edge", (engine) => {
  test("only the zone that changed is compiled again", async (t) => {
    const { addZone, block, zones, compiled } = await startZones(t, engine);
    const names = ["one.example", "two.example", "three.example"];
    const ids: string[] = [];
    for (const name of names) ids.push(await addZone(name));
    await zones.start();
    const expressions = names.map((name) => `http.request.uri.path eq "/${name}"`);
    assert.deepEqual(compiled.splice(0).toSorted(), expressions.toSorted());
    await block(ids[1] ?? "", "/changed");
    await until("the change is there", async () => compiled.length > 0);
    await addZone("last.example");
    await until("what came after is there", async () => zones.enclosing("last.example") !== undefined);
    await until("its rules are there", async () => compiled.length > 1);
    assert.deepEqual(compiled, [
      `http.request.uri.path eq "/changed"`,
      `http.request.uri.path eq "/last.example"`,
    ]);
  });
});
