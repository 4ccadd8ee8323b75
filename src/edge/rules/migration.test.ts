import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onEachEngine, until } from "../../../test/support/harness.ts";
import { scriptInjection } from "../../../test/support/replay-api.ts";
import { managedRulesetId } from "../../../test/support/ruleset-api.ts";

const managedPhase = "/rulesets/phases/http_request_firewall_managed/entrypoint";
const execute = (expression: string) => ({
  action: "execute",
  expression,
  action_parameters: { id: managedRulesetId },
});

/** An attack for which one rule of each version looks. */
const attack = { headers: { "x-middleware-subrequest": "middleware" } };

onEachEngine("the migration of a zone that is served", (engine) => {
  const start = async (t: Parameters<typeof startEdgeApp>[0]) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    await edge.change("PATCH", "/settings/waf", { value: "on" });
    await edge.untilStatus(scriptInjection, 403);
    const migrate = async (mode: "validation" | "pending", rules: readonly object[]) => {
      await edge.change("PUT", `${managedPhase}?waf_migration=${mode}&phase_two=1`, { rules });
      // Events have whole seconds: the next one is after the change.
      edge.app.advance(1_000);
    };
    const report = () => edge.change("GET", "/waf_migration/report?hours=1");
    return { edge, migrate, report };
  };

  test("reportMigration compares both versions by the requests of visitors, and its exceptions make them agree", async (t) => {
    const { edge, migrate, report } = await start(t);
    await edge.untilStatus("/fetch", 403, attack);
    let before = await report();
    const ofFetch = () =>
      before.stopped_only_by_previous.find(
        ({ example }: { readonly example: { readonly path: string } }) => example.path === "/fetch",
      );
    await until("it is reported", async () => {
      before = await report();
      return ofFetch() !== undefined;
    });
    const { ruleset_id, rule_id } = ofFetch();
    const previousRule = `/firewall/waf/packages/${ruleset_id}/rules/${rule_id}`;
    await edge.change("PATCH", previousRule, { mode: "disable" });
    await edge.untilStatus("/fetch", 200, attack);
    assert.deepEqual(
      [before.migration_state, before.requests.both, before.requests.only_new],
      ["start", 0, 0],
    );
    await migrate("validation", [execute('http.request.uri.path ne "/old/"')]);
    await edge.untilStatus(`/old${scriptInjection}`, 403);
    await edge.untilStatus("/fetch", 403, attack);
    // The Core Rule Set scores requests once its thread has started.
    await until("all three kinds are reported, and scores", async () => {
      await edge.visit(`/both${scriptInjection}`);
      const { requests, owasp_scores: scores } = await report();
      const isEachThere = requests.both > 0 && requests.only_new > 0 && requests.only_previous > 0;
      return isEachThere && scores[0]?.highest > 0;
    });
    const found = await report();
    assert.ok(
      found.stopped_only_by_previous.every(
        ({ example }: { readonly example: { readonly path: string } }) => example.path !== "/fetch",
      ),
      "of the time before",
    );
    assert.ok(found.since > before.since);
    assert.deepEqual([found.migration_state, found.is_complete], ["validation", true]);
    const compared = Object.values<number>(found.requests).reduce((sum, count) => sum + count, 0);
    assert.ok(found.events_read >= compared);
    const [onlyNew] = found.stopped_only_by_new;
    assert.equal(onlyNew.ruleset_id, managedRulesetId);
    assert.deepEqual([onlyNew.example.host, onlyNew.example.path], ["www.example.com", "/fetch"]);
    assert.ok(found.stopped_only_by_previous.length > 0);
    const [first, second] = found.owasp_scores;
    assert.deepEqual([first.paranoia_level, second.paranoia_level], [1, 2]);
    assert.ok(first.highest > 0 && second.highest >= first.highest);
    const [{ requests, ...exception }] = found.exceptions;
    assert.equal(requests, onlyNew.requests);
    await migrate("validation", [exception, execute('http.request.uri.path ne "/old/"')]);
    await edge.untilStatus("/fetch", 200, attack);

    await migrate("pending", [execute("true")]);
    await edge.untilStatus("/fetch", 403, attack);
    let after = await report();
    await until("what the new version stops is reported", async () => {
      after = await report();
      return after.requests.only_new > 0;
    });
    assert.deepEqual(
      [after.migration_state, after.requests.both, after.requests.only_previous, after.exceptions],
      ["complete", 0, 0, []],
    );
  });

  test("at the moment of its completion no request is judged by neither version", async (t) => {
    const { edge, migrate } = await start(t);
    const stopped = new AbortController();
    const visitors = Array.from({ length: 4 }, async () => {
      const statuses: number[] = [];
      while (!stopped.signal.aborted) statuses.push((await edge.visit(scriptInjection)).status);
      return statuses;
    });
    await migrate("validation", [execute("true")]);
    await migrate("pending", [execute("true")]);
    let ray = "";
    await until("the new version has judged alone", async () => {
      const { headers } = await edge.visit(scriptInjection);
      ray = String(headers["cf-ray"]).split("-")[0] ?? "";
      const query = `{ viewer { zones(filter: { zoneTag: "${edge.zoneId}" }) { firewallEventsAdaptive(limit: 9, filter: { rayName: "${ray}" }) { source } } } }`;
      let sources = "[]";
      await until(`events of ${ray}`, async () => {
        const { text } = await edge.app.request("POST", "/graphql", { body: { query } });
        sources = JSON.stringify(JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive);
        return sources !== "[]";
      });
      return sources === '[{"source":"firewallManaged"}]';
    });
    stopped.abort();
    const statuses = (await Promise.all(visitors)).flat();
    assert.deepEqual(
      statuses.filter((status) => status !== 403),
      [],
    );
  });
});
