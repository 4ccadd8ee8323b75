import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onEachEngine, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { listApi } from "../../../test/support/list-api.ts";
import {
  accountRulesets,
  custom,
  entryPoint,
  zoneRulesets,
  type RulesetApi,
} from "../../../test/support/ruleset-api.ts";
import { harOf, reportOf } from "../../../test/support/replay-api.ts";
import { storedRows } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

interface Step {
  readonly step_name: string;
  readonly matched: boolean;
  readonly expression?: string;
  readonly action_parameters?: unknown;
  readonly trace?: readonly Step[];
}

const redirecting = entryPoint("http_request_redirect");
const byList = (name: string, key = "http.request.full_uri") => ({
  action: "redirect",
  expression: `${key} in $${name}`,
  action_parameters: { from_list: { name, key } },
});

onEachEngine("lists that rules name", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let api: ReturnType<typeof listApi>;
  let zone: RulesetApi;
  let account: RulesetApi;
  before(async () => {
    app = await startTestApp(suite, engine);
    api = listApi(app);
    zone = await zoneRulesets(app);
    account = accountRulesets(app);
  });

  async function trace(
    url: string,
    context: object = {},
  ): Promise<{ status: number | undefined; steps: readonly Step[] }> {
    const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
    const { status, body, text } = await app.request("POST", path, { body: { url, method: "GET", context } });
    assert.equal(status, 200, text);
    const { status_code, trace: phases } = body.result as { status_code?: number; trace: readonly Step[] };
    const steps = phases.flatMap(({ trace: rulesets = [] }) =>
      rulesets.flatMap(({ trace: rules = [] }) => rules),
    );
    return { status: status_code, steps };
  }

  /** Finds the expressions that a request meets. */
  async function metBy(url: string, expressions: readonly string[]): Promise<boolean[]> {
    const rules = expressions.map((expression) => ({ action: "log", expression }));
    await zone.result("PUT", custom, { rules });
    const { steps } = await trace(url);
    return expressions.map(
      (expression) => steps.find((step) => step.expression === expression)?.matched === true,
    );
  }

  test("are looked into by the tracer, and a change of their items counts from the next request on", async () => {
    const office = await api.create("ip", "office");
    const hosts = await api.create("hostname", "hosts");
    await api.create("asn", "asns");
    await api.change("PUT", hosts, [{ hostname: { url_hostname: "*.example.com" } }]);
    const expressions = [
      "ip.src in $office",
      "not ip.src in $office",
      "http.host in $hosts",
      "ip.src.asnum in $asns",
      "ip.src in $cf.open_proxies",
    ];
    const url = "https://www.example.com/";
    assert.deepEqual(await metBy(url, expressions), [false, true, true, false, false]);
    await api.change("PUT", office, [{ ip: "127.0.0.0/8" }, { ip: "2001:db8::/32" }]);
    assert.deepEqual(await metBy(url, expressions), [true, false, true, false, false]);
    await api.change("PUT", office, [{ ip: "10.0.0.0/8" }]);
    await api.change("POST", hosts, [{ hostname: { url_hostname: "example.org" } }]);
    assert.deepEqual(await metBy("https://example.com/", expressions), [false, true, false, false, false]);
    await zone.result("PUT", custom, { rules: [] });
  });

  test("of many thousand items are looked into without a limit", async () => {
    const many = await api.create("ip", "many");
    const body = Array.from({ length: 5_000 }, (_, index) => ({
      ip: `10.${index >>> 8}.${index & 255}.0/24`,
    }));
    await api.change("PUT", many, [...body, { ip: "127.0.0.1" }, { ip: "::1" }]);
    assert.deepEqual(await metBy("https://example.com/", ["ip.src in $many"]), [true]);
    await zone.result("PUT", custom, { rules: [] });
  });

  test("are looked into by replays of recorded requests", async () => {
    const replayed = await api.create("hostname", "replayed");
    await api.change("PUT", replayed, [{ hostname: { url_hostname: "old.example.com" } }]);
    await zone.result("PUT", custom, { rules: [{ action: "block", expression: "http.host in $replayed" }] });
    const har = harOf({ url: "https://old.example.com/" }, { url: "https://new.example.com/" });
    const report = await reportOf(app, zone.zoneId, har);
    assert.equal(report.requests.decided_earlier, 1);
    await zone.result("PUT", custom, { rules: [] });
  });

  test("have to be there and of the right kind, and a refused rule changes nothing", async (t) => {
    await api.create("redirect", "moved");
    const refused = [
      ["ip.src in $nowhere", /the account has no list \$nowhere$/],
      ["ip.src in $hosts", /the list \$hosts is of kind hostname, and cannot hold a value of type Ip$/],
      ["http.host in $office", /is of kind ip, and cannot hold a value of type Bytes$/],
      ["ip.src.asnum in $office", /is of kind ip, and cannot hold a value of type Int$/],
      [
        "http.host in $moved",
        /holds redirects, which only rules of the phase http_request_redirect can name$/,
      ],
      ["ip.src in $cf.unknown", /there is no managed list \$cf\.unknown$/],
      ["http.host in $cf.vpn", /is of kind ip, and cannot hold a value of type Bytes$/],
      ["ip.src in $office or any(http.request.headers.names[*] in $nowhere)", /no list \$nowhere$/],
    ] as const;
    for (const [expression, message] of refused) {
      await t.test(expression, async () => {
        const pointer = "/rules/0/expression";
        await zone.refuses(
          "PUT",
          custom,
          { rules: [{ action: "log", expression }] },
          { code: 20127, message, pointer },
        );
      });
    }
    const count = {
      action: "block",
      expression: "true",
      ratelimit: {
        characteristics: ["cf.colo.id", "ip.src"],
        period: 60,
        requests_per_period: 100,
        counting_expression: "ip.src in $nowhere",
      },
    };
    await zone.refuses(
      "PUT",
      entryPoint("http_ratelimit"),
      { rules: [count] },
      {
        code: 20127,
        pointer: "/rules/0/ratelimit/counting_expression",
        message: /no list \$nowhere$/,
      },
    );
    const earlier = await storedRows(app);
    const filter = await app.request("POST", `/zones/${zone.zoneId}/filters`, {
      body: [{ expression: "ip.src in $nowhere" }],
    });
    const [error] = filter.body.errors;
    assert.deepEqual([filter.status, error?.code, error?.source?.pointer], [400, 10103, "/0/expression"]);
    assert.deepEqual(await storedRows(app), earlier);
  });

  test("of the service need an Enterprise plan", async (t) => {
    const own = await startTestApp(t, engine, { default_plan: "business" });
    const small = await zoneRulesets(own);
    const rules = [{ action: "log", expression: "ip.src in $cf.open_proxies" }];
    await small.refuses(
      "PUT",
      custom,
      { rules },
      {
        code: 20127,
        pointer: "/rules/0/expression",
        message:
          /not entitled: the use of list \$cf\.open_proxies is not allowed, an Enterprise plan is required$/,
      },
    );
  });

  test("redirect a request where one of their redirects is for it, and only there", async (t) => {
    const list = await api.create("redirect", "redirects");
    await api.change("PUT", list, [
      {
        redirect: {
          source_url: "example.com/old/",
          target_url: "https://example.net/new/",
          status_code: 308,
          subpath_matching: true,
          preserve_query_string: true,
        },
      },
      { redirect: { source_url: "https://example.com/a%20b", target_url: "https://example.net/b" } },
    ]);
    const [rule] = (await account.result("PUT", redirecting, { rules: [byList("redirects")] })).rules;
    const found = await trace("http://example.com/old/page?x=1");
    assert.equal(found.status, 308);
    const target_url = { value: "https://example.net/new/page?x=1" };
    assert.deepEqual(found.steps.at(-1)?.action_parameters, {
      ...rule.action_parameters,
      from_value: { status_code: 308, target_url },
    });
    assert.equal((await trace("https://example.com/a%20b")).status, 301);
    const none = await trace("http://example.com/other");
    assert.deepEqual([none.status, none.steps.map(({ matched }) => matched)], [undefined, [false]]);

    // An expression that does not look into the list matches, and nothing comes of it.
    const always = { ...byList("redirects", "raw.http.request.full_uri"), expression: "true" };
    await account.result("PUT", redirecting, { rules: [always] });
    const past = await trace("http://example.com/other");
    assert.deepEqual([past.status, past.steps.map(({ matched }) => matched)], [undefined, [true]]);
    assert.equal((await trace("http://example.com/old/page")).status, 308);
    assert.equal((await api.read(list)).num_referencing_filters, 1);
    const kept = await app.request("DELETE", `${api.base}/${list}`);
    assert.equal(kept.body.errors[0]?.code, 10031);

    const at = "/rules/0/action_parameters/from_list";
    const refused = [
      [
        {
          ...byList("redirects"),
          action_parameters: { from_list: { name: "nowhere", key: "http.request.full_uri" } },
        },
        `${at}/name`,
      ],
      [
        {
          ...byList("redirects"),
          action_parameters: { from_list: { name: "office", key: "http.request.full_uri" } },
        },
        `${at}/name`,
      ],
      [
        { ...byList("redirects"), action_parameters: { from_list: { name: "redirects", key: "http.host" } } },
        `${at}/key`,
      ],
    ] as const;
    for (const [body, pointer] of refused) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        await account.refuses("PUT", redirecting, { rules: [body] }, { code: 20100, pointer });
      });
    }
    await account.result("PUT", redirecting, { rules: [] });
    assert.equal((await app.request("DELETE", `${api.base}/${list}`)).status, 200);
  });

  test("are those of the zone's account alone", async (t) => {
    const own = await startTestApp(t, engine);
    const other = await zoneRulesets(own);
    await other.refuses(
      "PUT",
      custom,
      { rules: [{ action: "log", expression: "ip.src in $office" }] },
      {
        code: 20127,
        pointer: "/rules/0/expression",
      },
    );
  });
});
