import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { replaceRules, rulesOfRelease, writeRelease } from "../../../test/support/core-rules.ts";
import { owaspPackageId } from "../../core/previous-waf/catalogue.ts";
import { startTestApp, until, type TestApp } from "../../../test/support/harness.ts";
import {
  finalScoreRuleId,
  managed,
  owaspRulesetId,
  zoneRulesets,
  type RulesetApi,
} from "../../../test/support/ruleset-api.ts";

interface ListedRule {
  readonly id: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly action_parameters?: { readonly increment: number };
}

const owasp = `/${owaspRulesetId}`;

function execute(overrides?: object): object {
  return {
    action: "execute",
    expression: "true",
    action_parameters: { id: owaspRulesetId, ...(overrides && { overrides }) },
  };
}

async function trace(app: TestApp, path: string, rest: object = {}) {
  const body = { url: `http://example.com${path}`, method: "GET", ...rest };
  const answer = await app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result;
}

interface Step {
  readonly step_name: string;
  readonly matched_data?: object;
  readonly trace?: readonly Step[];
}

/** The steps of the rules of the OWASP ruleset that matched. */
function scoring({ trace: phases }: { readonly trace: readonly Step[] }): readonly Step[] {
  const all = (steps: readonly Step[]): Step[] => steps.flatMap((step) => [step, ...all(step.trace ?? [])]);
  return all(phases).find(({ step_name }) => step_name === owaspRulesetId)?.trace ?? [];
}

async function withRelease(t: Parameters<typeof startTestApp>[0]) {
  const crs = writeRelease(t);
  const app = await startTestApp(t, "sqlite", { crs, new_zone_waf: "new" }, { coreRulesRoundMs: 20 });
  const api = await zoneRulesets(app);
  const rules: readonly ListedRule[] = (await api.result("GET", owasp)).rules;
  const idOf = (number: number): string =>
    rules.find(({ description }) => description.startsWith(`${number}:`))?.id ?? "";
  const put = (...its: object[]) => api.result("PUT", managed, { rules: its });
  return { app, api, crs, rules, idOf, put };
}

describe("a release of the Core Rule Set that is in force", () => {
  test("is the latest version of the OWASP ruleset, with its rules, their scores, levels and tags", async (t) => {
    const { api, rules } = await withRelease(t);
    const { version, description } = await api.result("GET", owasp);
    assert.deepEqual([version, description.split(",")[0]], ["40301", "OWASP CRS 4.3.1"]);
    const versions: { version: string }[] = await api.result("GET", `${owasp}/versions`);
    assert.deepEqual(
      versions.map((one) => one.version),
      ["1", "40301"],
    );
    assert.deepEqual(
      rules.map((rule) => [rule.description, rule.action_parameters?.increment, rule.categories?.join(" ")]),
      [
        ["911100: Method is not allowed by policy", 5, "paranoia-level-1 protocol attack-generic"],
        ["942100: SQL Injection Attack Detected via libinjection", 5, "paranoia-level-1 sqli language-multi"],
        ["942999: Evil word", 3, "paranoia-level-1 sqli"],
        ["942998: A quote", 3, "paranoia-level-2 sqli"],
        ["949110: Inbound Anomaly Score Exceeded", undefined, undefined],
      ],
    );
    assert.equal(rules.at(-1)?.id, finalScoreRuleId);
  });

  test("gives rules their known ids, and others an id that follows from their number", async (t) => {
    const { rules, api } = await withRelease(t);
    const builtIn: { rules: readonly ListedRule[] } = await api.result("GET", `${owasp}/versions/1`);
    const known = builtIn.rules.find(({ description }) => description.startsWith("942100:"))?.id;
    assert.equal(rules[1]?.id, known);
    // The first half of the SHA-256 of "owasp-crs/942999".
    assert.equal(rules[2]?.id, "3bf1faa9084de330607bee551b6d2e69");
  });

  test("adds up what a request matches, and says what that was", async (t) => {
    const { app, idOf, put } = await withRelease(t);
    await put(execute({ rules: [{ id: finalScoreRuleId, score_threshold: 8 }] }));
    assert.equal((await trace(app, "/?q=hello")).status_code, undefined);
    const attack = await trace(app, "/?q=1%27+or+%271%27=%271");
    assert.equal(attack.status_code, 403);
    const [first, second, last] = scoring(attack);
    assert.deepEqual(
      [first, second],
      [
        {
          ...first,
          step_name: idOf(942_100),
          action_parameters: { increment: 5 },
          matched_data: { variable: "ARGS:q", value: "1' or '1'='1" },
        },
        {
          ...second,
          step_name: idOf(942_998),
          action_parameters: { increment: 3 },
          matched_data: { variable: "ARGS:q", value: "1' or '1'='1" },
        },
      ],
    );
    assert.equal(last?.step_name, finalScoreRuleId);
  });

  test("scores once for each value that a rule matches", async (t) => {
    const { app, put } = await withRelease(t);
    await put(execute({ rules: [{ id: finalScoreRuleId, score_threshold: 6 }] }));
    assert.equal((await trace(app, "/?q=evil")).status_code, undefined);
    assert.equal((await trace(app, "/?q=evil&r=evil")).status_code, 403);
  });

  test("is overridden by rule, by category and as a whole, and acts as the last rule is told", async (t) => {
    const { app, idOf, put } = await withRelease(t);
    const path = "/?q=1%27+or+%271%27=%271";
    const acting = { id: finalScoreRuleId, score_threshold: 1 };
    const stepsWith = async (overrides: object) => {
      await put(execute(overrides));
      const traced = await trace(app, path);
      return [traced.status_code, scoring(traced).map(({ step_name }) => step_name)];
    };
    const [found, quote] = [idOf(942_100), idOf(942_998)];
    assert.deepEqual(await stepsWith({ rules: [acting] }), [403, [found, quote, finalScoreRuleId]]);
    const level2 = { category: "paranoia-level-2", enabled: false };
    assert.deepEqual(await stepsWith({ categories: [level2], rules: [acting] }), [
      403,
      [found, finalScoreRuleId],
    ]);
    const off = { id: found, enabled: false };
    assert.deepEqual(await stepsWith({ rules: [acting, off] }), [403, [quote, finalScoreRuleId]]);
    assert.deepEqual(await stepsWith({ categories: [level2], rules: [acting, off] }), [undefined, []]);
    assert.deepEqual(await stepsWith({ rules: [{ ...acting, action: "log" }] }), [
      undefined,
      [found, quote, finalScoreRuleId],
    ]);
    assert.deepEqual(await stepsWith({ enabled: false }), [undefined, []]);
    assert.deepEqual(await stepsWith({ rules: [{ ...acting, score_threshold: 9 }] }), [
      undefined,
      [found, quote],
    ]);
  });

  test("passes over the rules that an exception skips", async (t) => {
    const { app, idOf, put } = await withRelease(t);
    const skip = {
      action: "skip",
      expression: 'http.request.uri.path eq "/search"',
      action_parameters: { rules: { [owaspRulesetId]: [idOf(942_100)] } },
    };
    await put(skip, execute({ rules: [{ id: finalScoreRuleId, score_threshold: 5 }] }));
    assert.equal((await trace(app, "/search?q=1%27+or+%271%27=%271")).status_code, undefined);
    assert.equal((await trace(app, "/other?q=1%27+or+%271%27=%271")).status_code, 403);
  });

  test("refuses overrides of rules and categories that the release does not have", async (t) => {
    const { api } = await withRelease(t);
    const refuses = (overrides: object, pointer: string) =>
      api.refuses("PUT", managed, { rules: [execute(overrides)] }, { code: 20_100, pointer });
    await refuses(
      { rules: [{ id: "0".repeat(32), enabled: false }] },
      "/rules/0/action_parameters/overrides/rules/0/id",
    );
    await refuses(
      { categories: [{ category: "scanner", enabled: false }] },
      "/rules/0/action_parameters/overrides/categories/0/category",
    );
  });

  test("judges bodies and cookies, in a worker where the request is long", async (t) => {
    const { app, put } = await withRelease(t);
    await put(execute({ rules: [{ id: finalScoreRuleId, score_threshold: 5 }] }));
    const form = (plain: string) => ({ method: "POST", body: { plain_text: plain }, headers: formType });
    const formType = { "Content-Type": "application/x-www-form-urlencoded" };
    assert.equal((await trace(app, "/", form("q=1' or '1'='1"))).status_code, 403);
    const long = `p=${"x".repeat(20_000)}&q=1' or '1'='1`;
    assert.equal((await trace(app, "/", form(long))).status_code, 403);
    assert.equal((await trace(app, "/", { cookies: { a: "1' or '1'='1" } })).status_code, 403);
  });

  test("does not show cookies and what goes by the name of a secret", async (t) => {
    const { app, put } = await withRelease(t);
    await put(execute());
    const dataOf = async (path: string, rest?: object) => {
      const [first] = scoring(await trace(app, path, rest));
      return first?.matched_data;
    };
    const hidden = { value: "(not shown)" };
    assert.deepEqual(await dataOf("/?password=1'+or+'1'='1"), { variable: "ARGS:password", ...hidden });
    assert.deepEqual(await dataOf("/", { cookies: { seen: "1' or '1'='1" } }), {
      variable: "REQUEST_COOKIES:seen",
      ...hidden,
    });
  });

  test("is read again when its files change", async (t) => {
    const { app, api, crs, put } = await withRelease(t);
    await put(execute({ rules: [{ id: finalScoreRuleId, score_threshold: 3 }] }));
    assert.equal((await trace(app, "/?q=evil")).status_code, 403);
    replaceRules(crs, rulesOfRelease("4.4.0").replaceAll("evil", "wicked"));
    const version = async () => (await api.result("GET", owasp)).version;
    await until("the new release is in force", async () => (await version()) === "40400");
    assert.equal((await trace(app, "/?q=evil")).status_code, undefined);
    assert.equal((await trace(app, "/?q=wicked")).status_code, 403);
    assert.equal((await trace(app, `/?q=wicked&p=${"x".repeat(5_000)}`)).status_code, 403);
  });

  test("has the rules that an operator adds, with scores of their own", async (t) => {
    const { app, crs, api, put } = await withRelease(t);
    replaceRules(
      crs,
      `${rulesOfRelease("4.3.2")}
      SecRule ARGS "@contains wicked" "id:1001,phase:2,block,msg:'Wicked word',tag:'paranoia-level/1',\\
        severity:'ERROR',setvar:'tx.inbound_anomaly_score_pl1=+4'"
      SecRule ARGS "@contains wicked" "id:1002,phase:2,pass,msg:'Scores nothing'"`,
    );
    const rules = async (): Promise<readonly ListedRule[]> => (await api.result("GET", owasp)).rules;
    const own = async () => (await rules()).filter(({ description }) => description.startsWith("100"));
    await until("the rule is listed", async () => (await own()).length > 0);
    const [rule, ...others] = await own();
    assert.deepEqual([rule?.description, rule?.action_parameters?.increment], ["1001: Wicked word", 4]);
    assert.deepEqual(others, []);
    await put(execute({ rules: [{ id: finalScoreRuleId, score_threshold: 4 }] }));
    assert.equal((await trace(app, "/?q=wicked")).status_code, 403);
    await put(
      execute({
        rules: [
          { id: finalScoreRuleId, score_threshold: 4 },
          { id: rule?.id, enabled: false },
        ],
      }),
    );
    assert.equal((await trace(app, "/?q=wicked")).status_code, undefined);
  });

  test("is what rules execute that named a version of a release that is there no more", async (t) => {
    const { app, api, crs, put } = await withRelease(t);
    const pinned = { id: owaspRulesetId, version: "40301" };
    const overrides = { rules: [{ id: finalScoreRuleId, score_threshold: 3 }] };
    await put({ ...execute(), action_parameters: { ...pinned, overrides } });
    replaceRules(crs, rulesOfRelease("4.4.0"));
    await until("the new release", async () => (await api.result("GET", owasp)).version === "40400");
    assert.equal((await trace(app, "/?q=evil")).status_code, 403);
  });
});

test("a migration carries the sensitivity over to the paranoia level and the threshold of the release", async (t) => {
  const app = await startTestApp(t, "sqlite", { crs: writeRelease(t) });
  /** Each value scores 3 at level 1, and 3 more at level 2. */
  const cases = [
    { sensitivity: "high", passing: 6, blocked: 7 },
    { sensitivity: "medium", passing: 8, blocked: 9 },
    { sensitivity: "low", passing: 13, blocked: 14 },
  ];
  for (const { sensitivity, passing, blocked } of cases) {
    const zone = `/zones/${await app.createZone(`${sensitivity}.example`)}`;
    const send = async (method: string, path: string, body?: object) => {
      const answer = await app.request(method, zone + path, body && { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    };
    await send("PATCH", "/settings/waf", { value: "on" });
    await send("PATCH", `/firewall/waf/packages/${owaspPackageId}`, { sensitivity, action_mode: "block" });
    const proposed = await send("GET", "/waf_migration/config?phase_two=1");
    await send("PUT", `/rulesets${managed}?waf_migration=pending&phase_two=1`, proposed);
    const statusOf = async (values: number) => {
      const query = Array.from({ length: values }, (_, index) => `a${index}=evil'`).join("&");
      return (await trace(app, "", { url: `http://${sensitivity}.example/?${query}` })).status_code;
    };
    assert.deepEqual([await statusOf(passing), await statusOf(blocked)], [undefined, 403], sensitivity);
  }
});

describe("without a release", () => {
  test("the built-in rules are in force, and the version says so", async (t) => {
    const app = await startTestApp(t, "sqlite", { new_zone_waf: "new" });
    const api: RulesetApi = await zoneRulesets(app);
    const { version, rules } = await api.result("GET", owasp);
    assert.deepEqual([version, rules.length], ["1", 207]);
  });

  test("a directory that holds none keeps the server from starting, with the file and the line", async (t) => {
    const crs = writeRelease(t);
    replaceRules(crs, "\nSecNonsense on");
    await assert.rejects(
      startTestApp(t, "sqlite", { crs }),
      /reading the Core Rule Set: .*REQUEST-900-ALL\.conf:2: "SecNonsense" is not supported/,
    );
    await assert.rejects(
      startTestApp(t, "sqlite", { crs: join(crs, "nothing") }),
      /nothing has no folder "rules"/,
    );
  });
});
