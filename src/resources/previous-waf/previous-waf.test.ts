import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addZone } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { wafGroups, wafRules } from "../../core/previous-waf/catalogue.ts";
import { ManagedRulesets } from "../../core/judging/managed-rulesets.ts";

const traditional = "1e334934fd7ae32ad705667f8c1057aa";
const owasp = "c504870194831cd12c3fc0284f294abb";
const drupal = "8df6c9aaddcbdf0eceb047bc50873697";
const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("the previous WAF", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zoneId: string;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    zoneId = await app.createZone("example.com");
    path = `/zones/${zoneId}/firewall/waf/packages`;
  });

  test("has the public packages, groups and rules, each rule continued by one that exists", async () => {
    const { body } = await app.request("GET", path);
    assert.deepEqual(
      body.result.map(({ id, name, detection_mode }: Record<string, string>) => [id, name, detection_mode]),
      [
        [traditional, "CloudFlare", "traditional"],
        [owasp, "OWASP ModSecurity Core Rule Set", "anomaly"],
        ["a25a9a7e9c00afc1fb2e0245519d725b", "USER", "traditional"],
      ],
    );
    assert.deepEqual(body.result[1], {
      id: owasp,
      name: "OWASP ModSecurity Core Rule Set",
      description: "Covers OWASP Top 10 vulnerabilities, and more.",
      detection_mode: "anomaly",
      zone_id: zoneId,
      status: "active",
      sensitivity: "high",
      action_mode: "challenge",
    });
    const ids = new Set(wafRules.map(({ id }) => id));
    const known = [
      "100000",
      "100015",
      "100048",
      "100030",
      "100043A",
      "WP0025B",
      "100000356",
      "990002",
      "981176",
    ];
    for (const id of known) assert.ok(ids.has(id), id);
    assert.equal(ids.size, wafRules.length);
    const managed = new Set(
      new ManagedRulesets("cloudflare").latest().flatMap(({ rules }) => rules.map(({ id }) => id)),
    );
    for (const rule of wafRules) assert.ok(managed.has(rule.continuedBy), rule.id);
    const groupIds = new Set(wafGroups.map(({ id }) => id));
    for (const id of [
      drupal,
      "07d700cf30fda7548be94ff01087d0c4",
      "ea8687e59929c1fd05ba97574ad43f77",
      "de677e5818985db1285d0e80225f06e5",
    ]) {
      assert.ok(groupIds.has(id), id);
    }
  });

  test("keeps the sensitivity and action of the OWASP package, and refuses those of any other", async () => {
    const edited = await app.request("PATCH", `${path}/${owasp}`, { body: { sensitivity: "low" } });
    assert.deepEqual([edited.body.result.sensitivity, edited.body.result.action_mode], ["low", "challenge"]);
    await app.request("PATCH", `${path}/${owasp}`, { body: { action_mode: "simulate" } });
    const { body } = await app.request("GET", `${path}/${owasp}`);
    assert.deepEqual([body.result.sensitivity, body.result.action_mode], ["low", "simulate"]);
    const refused = await app.request("PATCH", `${path}/${traditional}`, { body: { sensitivity: "low" } });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.errors[0]?.code, 1027);
    const bad = await app.request("PATCH", `${path}/${owasp}`, { body: { sensitivity: "extreme" } });
    assert.equal(bad.status, 400);
  });

  test("keeps the modes of groups and rules, and counts the rules that were changed", async () => {
    const groups = await app.request("GET", `${path}/${traditional}/groups?name=Cloudflare%20Drupal`);
    const [group] = groups.body.result;
    assert.deepEqual([group.id, group.mode, group.modified_rules_count], [drupal, "on", 0]);
    const off = await app.request("PATCH", `${path}/${traditional}/groups/${drupal}`, {
      body: { mode: "off" },
    });
    assert.equal(off.body.result.mode, "off");

    const rules = await app.request("GET", `${path}/${traditional}/rules?group_id=${drupal}&per_page=100`);
    assert.equal(rules.body.result.length, group.rules_count);
    const [rule] = rules.body.result;
    assert.equal(rule.mode, "default");
    assert.equal(typeof rule.priority, "string");
    assert.deepEqual(rule.allowed_modes, ["default", "disable", "simulate", "block", "challenge"]);
    const target = `${path}/${traditional}/rules/${rule.id}`;
    assert.equal(
      (await app.request("PATCH", target, { body: { mode: "simulate" } })).body.result.mode,
      "simulate",
    );
    assert.equal((await app.request("GET", target)).body.result.mode, "simulate");
    const counted = await app.request("GET", `${path}/${traditional}/groups/${drupal}`);
    assert.equal(counted.body.result.modified_rules_count, 1);
    const simulated = await app.request("GET", `${path}/${traditional}/rules?mode=SIM`);
    assert.deepEqual(
      simulated.body.result.map(({ id }: { id: string }) => id),
      [rule.id],
    );
    const refused = await app.request("PATCH", target, { body: { mode: "on" } });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.errors[0]?.source?.pointer, "/mode");
    const anomaly = await app.request("PATCH", `${path}/${owasp}/rules/981176`, { body: { mode: "off" } });
    assert.deepEqual([anomaly.body.result.mode, anomaly.body.result.allowed_modes], ["off", ["on", "off"]]);
  });

  test("pages and orders its lists", async () => {
    const ids = new Set<string>();
    for (let page = 1; ; page += 1) {
      const { body } = await app.request(
        "GET",
        `${path}/${traditional}/rules?per_page=30&page=${page}&order=description`,
      );
      if (body.result.length === 0) break;
      for (const { id } of body.result) ids.add(id);
    }
    assert.equal(ids.size, wafRules.filter(({ packageId }) => packageId === traditional).length);
    const counts = await app.request("GET", `${path}/${traditional}/groups?order=rules_count&direction=desc`);
    const numbers = counts.body.result.map(({ rules_count }: { rules_count: number }) => rules_count);
    assert.deepEqual(
      numbers,
      [...numbers].toSorted((one, other) => other - one),
    );
    assert.equal((await app.request("GET", `${path}?order=id`)).status, 400);
  });

  test("lists with `match=any` what one of the filters that are given finds, and all without filters", async () => {
    const idsOf = async (query: string): Promise<string[]> =>
      (await app.request("GET", `${path}/${traditional}/${query}&per_page=1000`)).body.result.map(
        ({ id }: { readonly id: string }) => id,
      );
    const ofDrupal = await idsOf(`rules?group_id=${drupal}`);
    const ofSql = await idsOf("rules?description=SQL");
    const ofEither = await idsOf(`rules?group_id=${drupal}&description=SQL&match=any`);
    assert.deepEqual(new Set(ofEither), new Set([...ofDrupal, ...ofSql]));
    assert.deepEqual(await idsOf("rules?mode=SIM&match=any"), await idsOf("rules?mode=SIM"));
    assert.deepEqual(await idsOf("groups?name=Cloudflare%20Drupal&rules_count=0&match=any"), [drupal]);
    assert.deepEqual(await idsOf("rules?match=any"), await idsOf("rules?match=all"));
    assert.deepEqual(await idsOf("groups?match=any"), await idsOf("groups?match=all"));
  });

  test("does not know what is of another package", async () => {
    for (const target of [
      `${path}/${unknownId}`,
      `${path}/${unknownId}/groups`,
      `${path}/${owasp}/groups/${drupal}`,
      `${path}/${owasp}/rules/100015`,
      `${path}/${traditional}/rules/1`,
    ]) {
      const { status, body } = await app.request("GET", target);
      assert.equal(status, 404, target);
      assert.equal(body.errors[0]?.code, 1002, target);
    }
  });

  test("is gone from a zone that has the new one only, and so is the setting", async () => {
    const id = await addZone(app, "example.org", { waf: "new" });
    const root = `/zones/${id}/firewall/waf`;
    for (const [method, target, body] of [
      ["GET", `${root}/packages`, undefined],
      ["PATCH", `${root}/packages/${owasp}`, { sensitivity: "low" }],
      ["GET", `${root}/packages/${owasp}/groups`, undefined],
      ["PATCH", `${root}/packages/${traditional}/rules/100015`, { mode: "block" }],
      ["GET", `${root}/overrides`, undefined],
      ["POST", `${root}/overrides`, { urls: ["example.org/*"] }],
      ["PATCH", `/zones/${id}/settings/waf`, { value: "on" }],
    ] as const) {
      const { status, body: answer } = await app.request(method, target, body === undefined ? {} : { body });
      assert.equal(status, 410, `${method} ${target}`);
      assert.equal(answer.errors[0]?.code, 10410);
      assert.match(answer.errors[0]?.message ?? "", /Rulesets API/);
    }
    const { result } = (await app.request("GET", `/zones/${id}/settings/waf`)).body;
    assert.deepEqual(result, { id: "waf", value: "off", modified_on: null, editable: false });
  });
});
