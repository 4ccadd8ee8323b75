import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { BadRequestError, NotFoundError } from "cloudflare";

import type { RulesetCreateResponse } from "cloudflare/resources/rulesets/rulesets";

import { onComparedEngines, ownerToken, startTestApp } from "../support/harness.ts";
import { managedRulesetId } from "../support/ruleset-api.ts";

/** The package declares what it answers as `Ruleset | unknown`. */
type Ruleset = RulesetCreateResponse.Ruleset;

onComparedEngines("the npm package cloudflare and rulesets", (engine) => {
  test("creates, lists, gets, replaces and deletes them, their rules and their versions", async (t) => {
    const app = await startTestApp(t, engine);
    const { rulesets } = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken });
    const zone_id = await app.createZone("example.com");

    const created = (await rulesets.create({
      zone_id,
      kind: "zone",
      name: "Custom rules",
      phase: "http_request_firewall_custom",
      rules: [{ action: "block", expression: "ip.src eq 192.0.2.1" }],
    })) as Ruleset;
    assert.deepEqual([created.kind, created.version, created.rules.length], ["zone", "1", 1]);
    const names: string[] = [];
    for await (const { id } of rulesets.list({ zone_id })) names.push(id);
    assert.deepEqual([names[0], names.at(-1)], [managedRulesetId, created.id]);

    const added = (await rulesets.rules.create(created.id, {
      zone_id,
      action: "managed_challenge",
      expression: 'http.host eq "example.com"',
      position: { index: 1 },
    })) as Ruleset;
    const [first, second] = added.rules;
    assert.deepEqual([first?.action, second?.action], ["managed_challenge", "block"]);
    const edited = (await rulesets.rules.edit(first?.id ?? "", {
      zone_id,
      ruleset_id: created.id,
      action: "log",
      expression: "true",
    })) as Ruleset;
    assert.equal(edited.rules[0]?.version, "2");
    const removed = (await rulesets.rules.delete(first?.id ?? "", {
      zone_id,
      ruleset_id: created.id,
    })) as Ruleset;
    assert.equal(removed.rules.length, 1);

    const updated = (await rulesets.update(created.id, {
      zone_id,
      description: "Changed",
      rules: [],
    })) as Ruleset;
    assert.deepEqual([updated.description, updated.version], ["Changed", "5"]);
    assert.equal((await rulesets.get(created.id, { zone_id })).version, "5");
    const versions = [];
    for await (const { version } of rulesets.versions.list(created.id, { zone_id })) versions.push(version);
    assert.deepEqual(versions, ["1", "2", "3", "4", "5"]);
    assert.equal((await rulesets.versions.get("1", { zone_id, ruleset_id: created.id })).rules.length, 1);
    await rulesets.versions.delete("1", { zone_id, ruleset_id: created.id });

    await rulesets.delete(created.id, { zone_id });
    await assert.rejects(Promise.resolve(rulesets.get(created.id, { zone_id })), NotFoundError);
    const refused = rulesets.create({
      zone_id,
      kind: "zone",
      name: "n",
      phase: "http_ratelimit",
      rules: [{ action: "block", expression: "nothing" }],
    });
    await assert.rejects(Promise.resolve(refused), BadRequestError);
  });

  test("gets and updates entry points of a zone and of an account, and their versions", async (t) => {
    const app = await startTestApp(t, engine);
    const { rulesets } = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken });
    const zone_id = await app.createZone("example.com");
    const account_id = app.owner.accountId;
    const phase = "http_request_firewall_managed";
    await assert.rejects(Promise.resolve(rulesets.phases.get(phase, { zone_id })), NotFoundError);
    const owners = [
      { owner: { zone_id }, expression: "true" },
      { owner: { account_id }, expression: 'cf.zone.name eq "example.com" and cf.zone.plan eq "ENT"' },
    ];
    for (const { owner, expression } of owners) {
      const saved = (await rulesets.phases.update(phase, {
        ...owner,
        rules: [{ action: "execute", expression, action_parameters: { id: managedRulesetId } }],
      })) as Ruleset;
      assert.equal((await rulesets.phases.get(phase, owner)).id, saved.id);
      assert.equal(
        (await rulesets.phases.versions.get("1", { ...owner, ruleset_phase: phase })).version,
        "1",
      );
    }
  });
});
