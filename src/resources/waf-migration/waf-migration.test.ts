import assert from "node:assert/strict";
import { test } from "node:test";

import {
  onComparedEngines,
  startTestApp,
  type TestAnswer,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";

const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
const owasp = "c504870194831cd12c3fc0284f294abb";

type Plan = "free" | "pro" | "business" | "enterprise";

const execute = (rest: object = {}) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: managedRulesetId },
  enabled: true,
  ...rest,
});

/** A zone, and what its migration is asked. */
async function zoneOf(app: TestApp, name = "example.com") {
  const id = await app.createZone(name);
  const zone = `/zones/${id}`;
  const migration = `${zone}/waf_migration`;
  const entryPoint = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  return {
    id,
    zone,
    setPlan: (plan: Plan) => app.request("PATCH", zone, { body: { plan: { id: plan } } }),
    turnOn: () => app.request("PATCH", `${zone}/settings/waf`, { body: { value: "on" } }),
    check: (query = "?phase_two=1") => app.request("GET", `${migration}/check${query}`),
    config: (query = "?phase_two=1") => app.request("GET", `${migration}/config${query}`),
    status: async () => (await app.request("GET", `${migration}/status`)).body.result,
    put: (mode: string | undefined, body: object, query = "phase_two=1"): Promise<TestAnswer> =>
      app.request("PUT", mode === undefined ? entryPoint : `${entryPoint}?waf_migration=${mode}&${query}`, {
        body,
      }),
    stored: async () => {
      const { body } = await app.request("GET", entryPoint);
      return body.result?.version;
    },
  };
}

type MigratingZone = Awaited<ReturnType<typeof zoneOf>>;

async function stateOf(zone: MigratingZone): Promise<string> {
  const { migration_state, new_waf_status, old_waf_status } = await zone.status();
  return `${migration_state} new ${new_waf_status} old ${old_waf_status}`;
}

const start = "start new disabled old enabled";
const validation = "validation new enabled old enabled";
const complete = "complete new enabled old disabled";

/** Asks, and shows that it was refused with that code and that nothing changed. */
async function refuses(zone: MigratingZone, code: number, ask: () => Promise<TestAnswer>): Promise<void> {
  const before = [await zone.status(), await zone.stored()];
  const { status, body, text } = await ask();
  assert.equal(status, 400, text);
  assert.equal(body.errors[0]?.code, code, text);
  assert.deepEqual([await zone.status(), await zone.stored()], before);
}

onComparedEngines("the WAF migration", (engine) => {
  test("completes in one step on every plan with the proposed configuration", async (t) => {
    const app = await startTestApp(t, engine);
    for (const [index, plan] of (["pro", "business", "enterprise"] as const).entries()) {
      const zone = await zoneOf(app, `zone${index}.example`);
      await zone.setPlan(plan);
      await zone.turnOn();
      assert.deepEqual((await zone.check()).body.result, { compatible: true, migration_state: "start" });
      const proposed = await zone.config();
      assert.equal(proposed.status, 200, proposed.text);
      assert.ok(proposed.body.messages.length > 0);
      assert.deepEqual(
        proposed.body.result.rules.map(({ id, version, ref, action, enabled }: Record<string, unknown>) => [
          id, version, ref, action, enabled,
        ]), // prettier-ignore
        [
          ["", "", "", "execute", true],
          ["", "", "", "execute", true],
        ],
      );
      assert.equal(await stateOf(zone), start);
      const saved = await zone.put(index === 0 ? "1" : "pending", proposed.body.result);
      assert.equal(saved.status, 200, saved.text);
      assert.equal(saved.body.result.rules.length, 2);
      assert.match(saved.body.result.rules[0].id, /^[0-9a-f]{32}$/);
      assert.equal(await stateOf(zone), complete);
      const { result, messages } = (await zone.check()).body;
      assert.deepEqual(result, { compatible: false, migration_state: "complete" });
      assert.deepEqual(
        messages.map(({ code }: { code: number }) => code),
        [40010],
      );
    }
  });

  test("goes by way of validation on Enterprise, and only there", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.turnOn();
    const { result } = (await zone.config()).body;
    for (const plan of ["pro", "business"] as const) {
      await zone.setPlan(plan);
      await refuses(zone, 40011, () => zone.put("validation", result));
      await refuses(zone, 40011, () => zone.put("2", result));
    }
    await zone.setPlan("enterprise");
    assert.equal((await zone.put("2", { rules: [execute()] })).status, 200);
    assert.equal(await stateOf(zone), validation);
    const changed = await zone.setPlan("pro");
    assert.equal(changed.status, 400);
    assert.equal(changed.body.errors[0]?.code, 1089);
    await refuses(zone, 40014, () => zone.put("pending", {}));
    assert.equal((await zone.put(undefined, { rules: [execute({ enabled: false })] })).status, 200);
    assert.equal(await stateOf(zone), validation);
    assert.equal((await zone.put("pending", result)).status, 200);
    assert.equal(await stateOf(zone), complete);
    assert.equal((await zone.setPlan("pro")).status, 200);
  });

  test("has no way back, and the previous version is gone afterwards", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.put("pending", { rules: [execute()] });
    for (const mode of ["pending", "1", "validation", "2"]) {
      await refuses(zone, 40010, () => zone.put(mode, { rules: [execute()] }));
    }
    assert.equal((await zone.config()).body.errors[0]?.code, 40010);
    const gone = await app.request("GET", `${zone.zone}/firewall/waf/packages`);
    assert.equal(gone.status, 410);
    assert.equal((await zone.turnOn()).status, 410);
    assert.equal((await zone.put(undefined, { rules: [] })).status, 200);
    assert.equal(await stateOf(zone), complete);
  });

  test("refuses what would leave the zone unprotected, unless its WAF is off", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.turnOn();
    for (const rules of [
      [],
      [execute({ enabled: false })],
      [{ action: "skip", expression: "true", action_parameters: { ruleset: "current" } }],
    ]) {
      await refuses(zone, 40013, () => zone.put("pending", { rules }));
    }
    await refuses(zone, 40014, () => zone.put("pending", { name: "default" }));
    const bogus = await zone.put("bogus", { rules: [execute()] });
    assert.equal(bogus.status, 400);
    for (const value of ["pending", "1", "validation", "2"])
      assert.ok(bogus.text.includes(value), bogus.text);
    await app.request("PATCH", `${zone.zone}/settings/waf`, { body: { value: "off" } });
    assert.equal((await zone.put("pending", { rules: [execute({ enabled: false })] })).status, 200);
    assert.equal(await stateOf(zone), complete);
  });

  test("is judged by the rules of the phase that is asked for, again when it is saved", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.turnOn();
    const rules = { rules: [execute()] };
    const obstacles = [
      {
        code: 40001,
        phaseTwoToo: true,
        put: () =>
          app.request("POST", `${zone.zone}/firewall/waf/overrides`, { body: { urls: ["example.com/*"] } }),
        path: "/firewall/waf/overrides",
      },
      {
        code: 40003,
        phaseTwoToo: false,
        put: () =>
          app.request("POST", `${zone.zone}/firewall/rules`, {
            body: [{ action: "bypass", products: ["waf"], filter: { expression: "ssl" } }],
          }),
        path: "/firewall/rules",
      },
      {
        code: 40004,
        phaseTwoToo: false,
        put: () =>
          app.request("POST", `${zone.zone}/pagerules`, {
            body: {
              targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/*" } }],
              actions: [{ id: "disable_security" }],
            },
          }),
        path: "/pagerules",
      },
    ];
    await refuses(zone, 40002, () => zone.put("pending", rules, ""));
    await app.request("PATCH", `${zone.zone}/firewall/waf/packages/${owasp}`, {
      body: { sensitivity: "off" },
    });
    assert.equal((await zone.check("")).body.result.compatible, true);
    for (const { code, phaseTwoToo, put, path } of obstacles) {
      const { body } = await put();
      const id = Array.isArray(body.result) ? body.result[0].id : body.result.id;
      const [first, second] = [await zone.check(""), await zone.check()];
      assert.deepEqual(first.body.result, { compatible: false, migration_state: "start" });
      assert.equal(first.body.messages[0]?.code, code);
      assert.equal(second.body.result.compatible, !phaseTwoToo);
      await refuses(zone, code, () => zone.put("pending", rules, ""));
      if (phaseTwoToo) await refuses(zone, code, () => zone.put("pending", rules));
      assert.equal((await app.request("DELETE", `${zone.zone}${path}/${id}`)).status, 200);
    }
    assert.equal((await zone.put("pending", rules, "")).status, 200);
  });

  test("carries 200 firewall rules over and not 201, 4,096 bytes and not 4,097, and the check says so", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const add = (expressions: readonly string[]) =>
      app.request("POST", `${zone.zone}/firewall/rules`, {
        body: expressions.map((expression) => ({
          action: "bypass",
          products: ["waf"],
          filter: { expression },
        })),
      });
    const padded = (length: number) => {
      const frame = 'http.host eq ""';
      return `http.host eq "${"x".repeat(length - frame.length)}"`;
    };
    const made = await add(Array.from({ length: 200 }, (_, index) => `http.host eq "h${index}"`));
    assert.equal(made.status, 200, made.text);
    const proposed = await zone.config();
    assert.equal(proposed.body.result.rules.length, 202);
    const more = await add([padded(4_097)]);
    const codesOf = ({ body }: TestAnswer) => [
      body.errors[0]?.code,
      ...body.messages.map(({ code }) => code),
    ];
    assert.deepEqual(codesOf(await zone.config()), [40005, 40006]);
    const check = await zone.check();
    assert.deepEqual(check.body.result, { compatible: true, migration_state: "start" });
    assert.deepEqual(codesOf(check), [undefined, 40005, 40006]);
    await refuses(zone, 40005, () => zone.put("pending", proposed.body.result));
    await app.request("DELETE", `${zone.zone}/firewall/rules?id=${made.body.result[0].id}`);
    await refuses(zone, 40006, () => zone.put("pending", proposed.body.result));
    await app.request("DELETE", `${zone.zone}/firewall/rules?id=${more.body.result[0].id}`);
    await add([padded(4_096)]);
    const fitting = await zone.config();
    assert.equal(fitting.status, 200, fitting.text);
    const saved = await zone.put("pending", fitting.body.result);
    assert.equal(saved.status, 200, saved.text);
    assert.equal(saved.body.result.rules.length, 202);
  });

  test("proposes nothing that cannot be saved, whatever a zone holds", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    await zone.turnOn();
    const expressions = [
      "cidr(ip.src, 24, 64) eq 192.0.2.0",
      "cidr6(ip.src, 64) eq 2001:db8::",
      'decode_base64(http.request.uri.query) contains "x"',
      'join(http.request.headers["x"], ",") eq "a"',
    ];
    const rules = expressions.map((expression) => ({
      action: "bypass",
      products: ["waf"],
      filter: { expression },
    }));
    assert.equal((await app.request("POST", `${zone.zone}/firewall/rules`, { body: rules })).status, 200);
    const patterns = [
      `example.com/${"x".repeat(600)}`,
      ...Array.from({ length: 50 }, (_, index) => `*example.com/*part-of-a-path-${index}*`),
    ];
    for (const [index, value] of patterns.entries()) {
      const made = await app.request("POST", `${zone.zone}/pagerules`, {
        body: {
          targets: [{ target: "url", constraint: { operator: "matches", value } }],
          actions: [{ id: "waf", value: index % 2 === 0 ? "off" : "on" }],
          priority: index + 1,
          status: "active",
        },
      });
      assert.equal(made.status, 200, made.text);
    }
    const proposed = await zone.config();
    assert.equal(proposed.status, 200, proposed.text);
    const saved = await zone.put("pending", proposed.body.result);
    assert.equal(saved.status, 200, saved.text);
    assert.equal(await stateOf(zone), complete);
  });

  test("lets only Enterprise run enabled rules beside the previous version", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    assert.equal((await zone.put(undefined, { rules: [execute()] })).status, 200);
    assert.equal(await stateOf(zone), start);
    await zone.setPlan("pro");
    await refuses(zone, 40012, () => zone.put(undefined, { rules: [execute()] }));
    assert.equal((await zone.put(undefined, { rules: [execute({ enabled: false })] })).status, 200);
    const { body } = await app.request(
      "GET",
      `${zone.zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
    );
    const added = await app.request("POST", `${zone.zone}/rulesets/${body.result.id}/rules`, {
      body: execute(),
    });
    assert.equal(added.body.errors[0]?.code, 40012);
  });

  test("is complete from the start for a zone of the Free plan, or where new zones are new", async (t) => {
    const free = await startTestApp(t, engine, { default_plan: "free" });
    assert.equal(await stateOf(await zoneOf(free)), complete);
    const app = await startTestApp(t, engine, { new_zone_waf: "new" });
    assert.equal(await stateOf(await zoneOf(app)), complete);
  });

  testOnEachEngine(
    "happens once: of two completions at the same instant one is refused",
    async (t, either) => {
      const app = await startTestApp(t, either);
      for (let round = 0; round < 5; round += 1) {
        const zone = await zoneOf(app, `zone${round}.example`);
        const answers = await Promise.all([1, 2].map(() => zone.put("pending", { rules: [execute()] })));
        const statuses = new Set(answers.map(({ status }) => status));
        assert.deepEqual(statuses, new Set([200, 400]));
        assert.equal(await stateOf(zone), complete);
      }
    },
  );
});
