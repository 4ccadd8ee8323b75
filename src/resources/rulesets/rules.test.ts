import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import {
  accountRulesets,
  custom,
  entryPoint,
  owaspRulesetId,
  zoneRulesets,
  type RulesetApi,
} from "../../../test/support/ruleset-api.ts";

const minute = 60_000;
const block = { action: "block", expression: "ip.src eq 192.0.2.1" };
const log = { action: "log", expression: 'http.host eq "example.com"' };

onComparedEngines("rules of a ruleset", (engine) => {
  test("replaceEntryPoint and replaceRuleset keep rules that a body leaves out, and take out all where they are null", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const rulesOf = async (method: string, path: string, body: object) => {
      const answer = await api.send(method, path, body);
      assert.equal(answer.status, 200, answer.text);
      return (answer.body.result.rules as readonly { expression: string }[]).map(
        ({ expression }) => expression,
      );
    };
    const { body: made } = await api.send("PUT", custom, { rules: [block] });
    for (const path of [custom, `/${made.result.id as string}`]) {
      await rulesOf("PUT", path, { rules: [block] });
      assert.deepEqual(await rulesOf("PUT", path, { description: "kept" }), [block.expression]);
      assert.deepEqual(await rulesOf("PUT", path, { description: "emptied", rules: null }), []);
      assert.deepEqual((await api.send("GET", path)).body.result.rules, []);
    }
  });

  test("a rule that blocks answers up to 2 KiB of content, a rate limit up to 30 KiB", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const answering = (length: number) => {
      const response = { status_code: 429, content: "a".repeat(length), content_type: "text/plain" };
      return { ...block, action_parameters: { response } };
    };
    const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requests_per_period: 10 };
    for (const [phase, rule] of [
      [custom, answering(2_048)],
      [entryPoint("http_ratelimit"), { ...answering(30_720), ratelimit }],
    ] as const) {
      const { rules } = await api.result("PUT", phase, { rules: [rule] });
      assert.deepEqual(rules[0].action_parameters, rule.action_parameters);
    }
  });

  test("the expression of a header's value may be of any scalar type, and is answered as it was sent", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const headers = {
      "x-address": { operation: "set", expression: "ip.src" },
      "x-port": { operation: "set", expression: "cf.edge.server_port" },
      "x-ssl": { operation: "set", expression: "ssl" },
      "x-host": { operation: "set", expression: "http.host" },
    };
    const rule = { action: "rewrite", expression: "true", action_parameters: { headers } };
    for (const phase of ["http_request_late_transform", "http_response_headers_transform"]) {
      const { rules } = await api.result("PUT", entryPoint(phase), { rules: [rule] });
      assert.deepEqual(rules[0].action_parameters, { headers });
    }
  });

  test("overrides of managed rulesets take the categories and rules of public examples", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const executing = (id: string, overrides: object) => ({
      rules: [{ action: "execute", expression: "true", action_parameters: { id, overrides } }],
    });
    const owasp = {
      action: "log",
      enabled: true,
      categories: [
        { category: "language-java", action: "block" },
        { category: "language-php", enabled: false },
        { category: "language-shell", action: "block", enabled: true },
      ],
      rules: [
        { id: "04116d14d7524986ba314d11c8a41e11", action: "block" },
        { id: "55b58c71f653446fa0942cf7700f8c8e", enabled: false },
        { id: "7683285d70b14023ac407b67eccbb280", action: "block", enabled: true, score_threshold: 40 },
      ],
    };
    const http = {
      sensitivity_level: "eoff",
      categories: [{ category: "botnets", sensitivity_level: "medium" }],
      rules: [{ id: "8fc7efb08f984ced8d61b34b254da96a", sensitivity_level: "low" }],
    };
    for (const [phase, id, overrides] of [
      ["http_request_firewall_managed", owaspRulesetId, owasp],
      ["ddos_l7", "4d21379b4f9f4bb088e0729962c8b3cf", http],
    ] as const) {
      const { rules } = await api.result("PUT", entryPoint(phase), executing(id, overrides));
      assert.deepEqual(rules[0].action_parameters.overrides, overrides);
    }
    const network = {
      rules: [{ id: "599dab0942ff4898ac1b7797e954e98b", sensitivity_level: "low" }],
    };
    const networkRulesetId = "3b64149bfa6e4220bbbc2bd6db589552";
    const account = accountRulesets(app);
    const { rules } = await account.result("PUT", entryPoint("ddos_l4"), {
      rules: [
        {
          action: "execute",
          expression: 'ip.src in {192.0.2.0/24} and cf.zone.plan eq "ENT"',
          action_parameters: { id: networkRulesetId, overrides: network },
        },
      ],
    });
    assert.deepEqual(rules[0].action_parameters.overrides, network);
    const listed = async (one: RulesetApi) =>
      (await one.result("GET")).some(({ id }: { id: string }) => id === networkRulesetId);
    assert.deepEqual([await listed(account), await listed(api)], [true, false]);
  });

  test("rules keep their ids by id or reference, and get another version when they say something else", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const first = await api.result("PUT", custom, { rules: [block, { ...log, ref: "logged" }] });
    const [blocking, logging] = first.rules;
    app.advance(minute);
    const second = await api.result("PUT", custom, {
      rules: [{ ...log, ref: "logged", description: "Changed" }, { ...blocking }, block],
    });
    const [changed, same, added] = second.rules;
    assert.equal(changed.id, logging.id);
    assert.deepEqual([changed.version, changed.last_updated], ["2", "2026-01-02T03:05:05.678000Z"]);
    assert.deepEqual(same, blocking);
    assert.deepEqual([added.version, added.ref], ["1", added.id]);
    assert.notEqual(added.id, blocking.id);
  });

  test("a new rule gets the reference that another one, named by its id, gives up in the same body", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const { rules } = await api.result("PUT", custom, { rules: [{ ...block, ref: "a" }] });
    const [renamed, added] = (
      await api.result("PUT", custom, {
        rules: [
          { ...block, id: rules[0].id, ref: "b" },
          { ...log, ref: "a" },
        ],
      })
    ).rules;
    assert.deepEqual([renamed.id, renamed.ref, added.ref], [rules[0].id, "b", "a"]);
    assert.notEqual(added.id, renamed.id);
  });

  test("createRule and editRule put a rule where its position says", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const rule = (ref: string, position?: object) => ({ ...block, ref, ...(position && { position }) });
    const { id } = await api.result("PUT", custom, { rules: [rule("a"), rule("b")] });
    const refs = ({ rules }: { rules: { ref: string }[] }) => rules.map(({ ref }) => ref).join(" ");
    const add = async (ref: string, position?: object) =>
      api.result("POST", `/${id}/rules`, rule(ref, position));
    assert.equal(refs(await add("c")), "a b c");
    assert.equal(refs(await add("d", { index: 2 })), "a d b c");
    const { rules } = await add("e", { before: "" });
    assert.equal(rules.map(({ ref }: { ref: string }) => ref).join(" "), "e a d b c");
    const idOf = (ref: string) => rules.find((one: { ref: string }) => one.ref === ref).id;
    const move = (ref: string, position: object) =>
      api.result("PATCH", `/${id}/rules/${idOf(ref)}`, { position });
    assert.equal(refs(await move("e", { after: idOf("b") })), "a d b e c");
    assert.equal(refs(await move("c", { before: idOf("d") })), "a c d b e");
    assert.equal(refs(await move("a", { after: "" })), "c d b e a");
    const moved = await move("a", { index: 1 });
    assert.equal(refs(moved), "a c d b e");
    assert.ok(moved.rules.every(({ version }: { version: string }) => version === "1"));
    assert.equal(moved.version, "8");
  });

  test("editRule replaces the whole definition and keeps id and reference; deleteRule answers the ruleset", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const before = { ...block, ref: "r", description: "Keeps out one address", enabled: false };
    const { id, rules } = await api.result("PUT", custom, { rules: [before, log] });
    const path = `/${id}/rules/${rules[0].id}`;
    const { rules: edited } = await api.result("PATCH", path, { ...log, position: { after: "" } });
    assert.deepEqual(edited[1], {
      ...rules[0],
      ...log,
      version: "2",
      description: "",
      enabled: true,
    });
    assert.deepEqual((await api.result("DELETE", path)).rules, [edited[0]]);
    await api.refuses("DELETE", path, undefined, { status: 404, code: 20302 });
  });

  test("a rate limit counts by what the response says; which requests it is about, the request alone says", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const isError = 'http.request.uri.path eq "/form" and http.response.code eq 400';
    const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requests_per_period: 10 };
    const counting = { ...block, ratelimit: { ...ratelimit, counting_expression: isError } };
    const { rules } = await api.result("PUT", entryPoint("http_ratelimit"), { rules: [counting] });
    assert.equal(rules[0].ratelimit.counting_expression, isError);
    const early = { ...block, expression: isError, ratelimit };
    const { body } = await api.send("PUT", entryPoint("http_ratelimit"), { rules: [early] });
    assert.deepEqual([body.errors[0]?.code, body.errors[0]?.source?.pointer], [20127, "/rules/0/expression"]);
  });
});
