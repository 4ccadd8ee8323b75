import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, testOnEachEngine } from "../../../test/support/harness.ts";
import {
  accountRulesets,
  custom,
  entryPoint,
  finalScoreRuleId,
  managed,
  managedRulesetId,
  owaspRulesetId,
  zoneRulesets,
} from "../../../test/support/ruleset-api.ts";
import { besideServer } from "../../../test/support/store.ts";

const started = "2026-01-02T03:04:05.678000Z";
const minute = 60_000;
const block = { action: "block", expression: "ip.src eq 192.0.2.1" };
const log = { action: "log", expression: 'http.host eq "example.com"' };

onComparedEngines("rulesets", (engine) => {
  test("replaceEntryPoint makes an entry point that getEntryPoint and getRuleset answer byte for byte", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const answer = await api.send("PUT", managed, {
      name: "default",
      rules: [
        {
          id: "",
          version: "",
          ref: "",
          action: "execute",
          expression: "true",
          description: "",
          enabled: true,
          action_parameters: {
            id: managedRulesetId,
            overrides: { rules: [{ id: "23ee7cebe6e8443e99ecf932ab579455", action: "log", enabled: false }] },
          },
        },
      ],
    });
    assert.equal(answer.status, 200, answer.text);
    const { id, rules } = answer.body.result;
    assert.deepEqual(answer.body.result, {
      id,
      name: "default",
      description: "",
      source: "firewall_managed",
      kind: "zone",
      version: "1",
      rules: [
        {
          id: rules[0].id,
          version: "1",
          action: "execute",
          action_parameters: {
            id: managedRulesetId,
            version: "latest",
            overrides: { rules: [{ id: "23ee7cebe6e8443e99ecf932ab579455", action: "log", enabled: false }] },
          },
          expression: "true",
          description: "",
          last_updated: started,
          ref: rules[0].id,
          enabled: true,
        },
      ],
      last_updated: started,
      phase: "http_request_firewall_managed",
    });
    assert.equal((await api.send("GET", managed)).text, answer.text);
    await app.restart();
    assert.equal((await api.send("GET", `/${id}`)).text, answer.text);
  });

  test("a second writer of an entry point makes a second version of the same ruleset, its name kept", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const first = await api.result("PUT", custom, { name: "mine", description: "first", rules: [block] });
    app.advance(minute);
    const second = await api.result("PUT", custom, { description: "second", rules: [block, log] });
    assert.equal(second.id, first.id);
    assert.deepEqual([second.name, second.description, second.version], ["mine", "second", "2"]);
    assert.deepEqual((await api.result("PUT", custom, { description: "third" })).rules, second.rules);
    assert.deepEqual((await api.result("PUT", custom, { rules: [] })).rules, []);
  });

  test("lists show the managed rulesets first, then those of the zone or the account, without rules", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const own = await api.result("PUT", custom, { rules: [block] });
    const list = await api.result("GET");
    assert.deepEqual(
      list.slice(0, 3).map(({ id, name }: { id: string; name: string }) => [id, name]),
      [
        [managedRulesetId, "Cloudflare Managed Ruleset"],
        [owaspRulesetId, "Cloudflare OWASP Core Ruleset"],
        ["c2e184081120413c86c3ab7e14069605", "Cloudflare Exposed Credentials Check Ruleset"],
      ],
    );
    const { rules: _, ...head } = own;
    assert.deepEqual(list.at(-1), head);
    assert.ok(list.every((ruleset: object) => !("rules" in ruleset)));
    assert.ok(!(await accountRulesets(app).result("GET")).some(({ id }: { id: string }) => id === own.id));
  });

  test("createRuleset makes one entry point a phase, deleteRuleset answers 204 without a body", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const body = { name: "limits", kind: "zone", phase: "http_ratelimit" };
    const { id, rules } = await api.result("POST", "", body);
    assert.deepEqual(rules, []);
    await api.refuses("POST", "", body, {
      code: 20217,
      message:
        "'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase http_ratelimit",
      pointer: "/kind",
    });
    const answer = await api.send("DELETE", `/${id}`);
    assert.deepEqual([answer.status, answer.text, answer.headers.get("content-type")], [204, "", null]);
    await api.refuses("GET", entryPoint("http_ratelimit"), undefined, {
      status: 404,
      code: 10003,
      message: "could not find entrypoint ruleset in the http_ratelimit phase",
    });
    await api.refuses("DELETE", `/${id}`, undefined, { status: 404, code: 20300 });
    const rows = await besideServer(app, (tx) => tx.selectFrom("ruleset_versions").selectAll().execute());
    assert.deepEqual(rows, []);
  });

  test("an account executes custom rulesets, which stay as long as they are named", async (t) => {
    const app = await startTestApp(t, engine);
    const api = accountRulesets(app);
    const own = await api.result("POST", "", {
      name: "Own",
      kind: "custom",
      phase: "http_request_firewall_custom",
      rules: [block],
    });
    const execute = {
      action: "execute",
      expression: 'cf.zone.name eq "example.com" and cf.zone.plan eq "ENT"',
      action_parameters: { id: own.id },
    };
    const root = await api.result("PUT", custom, { rules: [execute] });
    assert.deepEqual([root.kind, root.rules[0].action_parameters.version], ["root", "latest"]);
    await api.refuses("DELETE", `/${own.id}`, undefined, { code: 20311 });
    await api.result("PUT", custom, { rules: [] });
    assert.equal((await api.send("DELETE", `/${own.id}`)).status, 204);
    const zone = await zoneRulesets(app);
    await zone.refuses("GET", `/${own.id}`, undefined, { status: 404, code: 20300 });
  });

  test("every version stays until it is deleted, and the latest cannot be", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const first = await api.send("PUT", custom, { rules: [block] });
    const { id } = first.body.result;
    await api.result("PUT", custom, { rules: [log] });
    const third = await api.send("PUT", custom, { rules: [] });
    const versions = await api.result("GET", `${custom}/versions`);
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ["1", "2", "3"],
    );
    assert.deepEqual(await api.result("GET", `/${id}/versions`), versions);
    assert.equal((await api.send("GET", `${custom}/versions/1`)).text, first.text);
    assert.equal((await api.send("GET", `/${id}/versions/3`)).text, third.text);
    await api.refuses("DELETE", `/${id}/versions/3`, undefined, { code: 20310 });
    const deleted = await api.send("DELETE", `/${id}/versions/1`);
    assert.deepEqual([deleted.status, deleted.text], [204, ""]);
    await api.refuses("DELETE", `/${id}/versions/1`, undefined, { status: 404, code: 20301 });
    await api.refuses("GET", `${custom}/versions/1`, undefined, { status: 404, code: 20301 });
    assert.equal((await api.result("PUT", custom, { rules: [] })).version, "4");
  });

  testOnEachEngine(
    "two writers of one entry point at once each make a version that their answer shows",
    async (t, either) => {
      const app = await startTestApp(t, either);
      const api = await zoneRulesets(app);
      const writers = Array.from({ length: 8 }, (_, number) =>
        api.send("PUT", custom, { description: `writer ${number}`, rules: [{ ...block, ref: "one" }] }),
      );
      const answers = await Promise.all(writers);
      const results = answers.map(({ status, text, body }) => {
        assert.equal(status, 200, text);
        return body.result;
      });
      const byVersion = results.toSorted((one, other) => one.version - other.version);
      assert.deepEqual(
        byVersion.map(({ version }) => version),
        ["1", "2", "3", "4", "5", "6", "7", "8"],
      );
      for (const { version, description } of byVersion) {
        assert.equal((await api.result("GET", `${custom}/versions/${version}`)).description, description);
      }
      assert.equal(new Set(results.map(({ rules }) => rules[0].id)).size, 1);
    },
  );

  test("a dry run answers null for what would be stored, an error for what would not, and stores nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    assert.equal(await api.result("PUT", `${custom}?dry_run=true`, { rules: [block] }), null);
    await api.refuses("GET", custom, undefined, { status: 404, code: 10003 });
    const { id, rules } = await api.result("PUT", custom, { rules: [block] });
    const before = (await api.send("GET", custom)).text;
    const path = `/${id}/rules/${rules[0].id}?dry_run=true`;
    assert.equal(await api.result("PUT", `/${id}?dry_run=true`, { rules: [] }), null);
    assert.equal(await api.result("POST", `/${id}/rules?dry_run=true`, log), null);
    assert.equal(await api.result("PATCH", path, log), null);
    assert.equal(await api.result("DELETE", path), null);
    assert.equal((await api.send("DELETE", `/${id}?dry_run=true`)).status, 204);
    assert.equal(
      await api.result("POST", "?dry_run=true", { name: "n", kind: "zone", phase: "http_ratelimit" }),
      null,
    );
    assert.equal((await api.send("GET", custom)).text, before);
    await api.refuses(
      "PUT",
      `${custom}?dry_run=true`,
      { rules: [{ ...block, action: "nothing" }] },
      {
        code: 20100,
        pointer: "/rules/0/action",
      },
    );
  });

  test("managed rulesets are read in every version and changed by nobody", async (t) => {
    const app = await startTestApp(t, engine);
    const api = accountRulesets(app);
    const latest = await api.result("GET", `/${managedRulesetId}`);
    assert.equal(latest.version, "2");
    assert.ok(latest.rules.length >= 80);
    const first = await api.result("GET", `/${managedRulesetId}/versions/1`);
    assert.ok(first.rules.length < latest.rules.length);
    assert.equal((await api.result("GET", `/${managedRulesetId}/versions`)).length, 2);
    const tagged = await api.result("GET", `/${managedRulesetId}/versions/2/by_tag/wordpress`);
    assert.ok(tagged.rules.length > 5 && tagged.rules.length < latest.rules.length);
    assert.ok(tagged.rules.every((rule: { categories: string[] }) => rule.categories.includes("wordpress")));
    const { rules } = await api.result("GET", `/${owaspRulesetId}`);
    assert.deepEqual(
      [rules.at(-1).id, rules.at(-1).score_threshold, rules.at(-1).action],
      [finalScoreRuleId, 40, "block"],
    );
    const refusal = { code: 20310 };
    await api.refuses("PUT", `/${managedRulesetId}`, { description: "Mine" }, refusal);
    await api.refuses("DELETE", `/${managedRulesetId}`, undefined, refusal);
    await api.refuses("POST", `/${managedRulesetId}/rules`, block, refusal);
    await api.refuses("DELETE", `/${managedRulesetId}/versions/1`, undefined, refusal);
    await api.refuses("GET", `/${managedRulesetId}/versions/3`, undefined, { status: 404, code: 20301 });
    await api.refuses("GET", `/${managedRulesetId}/versions/1/by_tag/none`, undefined, {
      status: 404,
      code: 20303,
    });
  });

  test("every change is logged with the rules that changed, and rulesets go with their zone", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const { id, rules } = await api.result("PUT", custom, { rules: [block, log] });
    await api.result("PATCH", `/${id}/rules/${rules[1].id}`, { ...log, enabled: false });
    await app.request("DELETE", `/zones/${api.zoneId}`);
    const [entries, left] = await besideServer(app, async (tx) => [
      await tx
        .selectFrom("audit_logs")
        .selectAll()
        .where("resource_type", "=", "ruleset")
        .orderBy("action_type", "desc")
        .execute(),
      await tx.selectFrom("rulesets").selectAll().execute(),
    ]);
    assert.deepEqual(left, []);
    assert.deepEqual(
      entries.map(({ action_type, resource_id, zone_id }) => [action_type, resource_id, zone_id]),
      [
        ["ruleset_create", id, api.zoneId],
        ["rule_edit", id, api.zoneId],
      ],
    );
    const after = JSON.parse(entries[1]?.new_value ?? "");
    assert.deepEqual([after.version, after.rules.length, after.rules[0].enabled], ["2", 1, false]);
  });
});
