import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  onComparedEngines,
  startTestApp,
  type TestAnswer,
  type TestApp,
} from "../../../test/support/harness.ts";
import { roundsOr } from "../../../test/support/rounds.ts";

const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
const owaspPackageId = "c504870194831cd12c3fc0284f294abb";

/** Zones that are led through their sequences side by side. */
const lanes = 8;

const enabled = { action: "execute", expression: "true", action_parameters: { id: managedRulesetId } };
const disabled = { ...enabled, enabled: false };
const skip = { action: "skip", expression: "true", action_parameters: { ruleset: "current" } };

const plan = fc.constantFrom("free", "pro", "business", "enterprise");
const rules = fc.constantFrom([enabled], [disabled], [skip], [disabled, enabled], [], undefined);
const obstacleKind = fc.constantFrom("override", "bypass", "pageRule");

const step = fc.oneof(
  {
    arbitrary: fc.record({
      does: fc.constant("put" as const),
      mode: fc.constantFrom("pending", "1", "validation", "2", undefined),
      isPhaseTwo: fc.boolean(),
      rules,
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ does: fc.constant("choosePlan" as const), plan }), weight: 2 },
  { arbitrary: fc.record({ does: fc.constant("turn" as const), isOn: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant("setOwasp" as const), isOn: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant("add" as const), obstacle: obstacleKind }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant("remove" as const), obstacle: obstacleKind }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant("createRule" as const), isOn: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant("deleteRuleset" as const) }), weight: 1 },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Code of the first error, 0 for success. */
type Verdict = number;

/**
 * The migration of one zone as docs/contract/waf-migration.md describes it. Shares no code with the program.
 */
class Model {
  state: "start" | "validation" | "complete" = "start";
  plan = "enterprise";
  isOn = false;
  hasOwasp = true;
  readonly has = { override: false, bypass: false, pageRule: false };
  /** Undefined where the zone has no entry point. */
  rules: readonly object[] | undefined;

  /** Answers the step; the model is then where the zone has to be. */
  take(asked: Step): Verdict {
    const isOver = this.state === "complete";
    switch (asked.does) {
      case "choosePlan":
        if (this.state === "validation" && asked.plan !== this.plan) return 1089;
        this.plan = asked.plan;
        return 0;
      case "turn":
        if (isOver) return 10_410;
        if (this.plan === "free") return 1015;
        this.isOn = asked.isOn;
        return 0;
      case "setOwasp":
        if (isOver) return 10_410;
        this.hasOwasp = asked.isOn;
        return 0;
      case "add":
      case "remove":
        if (isOver && asked.obstacle === "override") return 10_410;
        this.has[asked.obstacle] = asked.does === "add";
        return 0;
      case "createRule":
        return this.save(undefined, false, [...(this.rules ?? []), asked.isOn ? enabled : disabled], true);
      case "deleteRuleset":
        this.rules = undefined;
        return 0;
      case "put":
        return this.save(
          asked.mode,
          asked.isPhaseTwo,
          asked.rules ?? this.rules ?? [],
          asked.rules !== undefined,
        );
    }
  }

  save(mode: string | undefined, isPhaseTwo: boolean, next: readonly object[], saysRules: boolean): Verdict {
    const refusal = mode === undefined ? this.refuseBeside(next) : this.refuseMigration(mode, isPhaseTwo, next, saysRules); // prettier-ignore
    if (refusal !== 0) return refusal;
    this.rules = next;
    if (mode !== undefined) this.state = mode === "pending" || mode === "1" ? "complete" : "validation";
    return 0;
  }

  refuseBeside(next: readonly object[]): Verdict {
    const isRefused =
      this.state === "start" && this.plan !== "enterprise" && next.some((one) => one !== disabled);
    return isRefused ? 40_012 : 0;
  }

  refuseMigration(mode: string, isPhaseTwo: boolean, next: readonly object[], saysRules: boolean): Verdict {
    const completes = mode === "pending" || mode === "1";
    if (this.state === "complete") return 40_010;
    if (!completes && this.plan !== "enterprise") return 40_011;
    const obstacle = this.obstacle(isPhaseTwo);
    if (obstacle !== 0 || !completes) return obstacle;
    if (!saysRules) return 40_014;
    return this.isOn && !next.includes(enabled) ? 40_013 : 0;
  }

  obstacle(isPhaseTwo: boolean): Verdict {
    if (this.has.override) return 40_001;
    if (isPhaseTwo) return 0;
    if (this.isOn && this.hasOwasp) return 40_002;
    if (this.has.bypass) return 40_003;
    return this.has.pageRule ? 40_004 : 0;
  }
}

/** A zone on the server, led through the same steps. */
class Zone {
  readonly app: TestApp;
  readonly name: string;
  readonly path: string;
  readonly ids = new Map<string, string>();
  added = 0;

  constructor(app: TestApp, name: string, id: string) {
    this.app = app;
    this.name = name;
    this.path = `/zones/${id}`;
  }

  send(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.app.request(method, this.path + path, body === undefined ? {} : { body });
  }

  async take(asked: Step): Promise<Verdict> {
    return verdictOf(await this.ask(asked));
  }

  /** Undefined where there is nothing to ask for. */
  async ask(asked: Step): Promise<TestAnswer | undefined> {
    switch (asked.does) {
      case "choosePlan":
        return this.send("PATCH", "", { plan: { id: asked.plan } });
      case "turn":
        return this.send("PATCH", "/settings/waf", { value: asked.isOn ? "on" : "off" });
      case "setOwasp":
        return this.send("PATCH", `/firewall/waf/packages/${owaspPackageId}`, {
          sensitivity: asked.isOn ? "high" : "off",
        });
      case "add":
        return this.add(asked.obstacle);
      case "remove":
        return this.remove(asked.obstacle);
      case "createRule": {
        const id = await this.entryPointId();
        const rule = asked.isOn ? enabled : disabled;
        return id === undefined
          ? this.send("PUT", entryPoint, { rules: [rule] })
          : this.send("POST", `/rulesets/${id}/rules`, rule);
      }
      case "deleteRuleset": {
        const id = await this.entryPointId();
        return id === undefined ? undefined : this.send("DELETE", `/rulesets/${id}`);
      }
      case "put": {
        const query = `?waf_migration=${asked.mode}${asked.isPhaseTwo ? "&phase_two=1" : ""}`;
        return this.send("PUT", asked.mode === undefined ? entryPoint : entryPoint + query, {
          ...(asked.rules !== undefined && { rules: asked.rules }),
        });
      }
    }
  }

  async add(kind: keyof typeof obstacles): Promise<TestAnswer | undefined> {
    const { path, bodyFor } = obstacles[kind];
    if (this.ids.has(kind)) return undefined;
    const answer = await this.send("POST", path, bodyFor(this.name, (this.added += 1)));
    const { result } = answer.body;
    if (answer.status === 200) this.ids.set(kind, Array.isArray(result) ? result[0].id : result.id);
    return answer;
  }

  async remove(kind: keyof typeof obstacles): Promise<TestAnswer | undefined> {
    const id = this.ids.get(kind);
    if (id === undefined) return undefined;
    const answer = await this.send("DELETE", `${obstacles[kind].path}/${id}`);
    if (answer.status === 200) this.ids.delete(kind);
    return answer;
  }

  async entryPointId(): Promise<string | undefined> {
    return (await this.send("GET", entryPoint)).body.result?.id;
  }
}

const entryPoint = "/rulesets/phases/http_request_firewall_managed/entrypoint";

const obstacles = {
  override: { path: "/firewall/waf/overrides", bodyFor: (zone: string) => ({ urls: [`${zone}/*`] }) },
  bypass: {
    path: "/firewall/rules",
    // The filter of a rule that was deleted stays, and no other may say the same.
    bodyFor: (_zone: string, index: number) => [
      { action: "bypass", products: ["waf"], filter: { expression: `ip.src.asnum eq ${index}` } },
    ],
  },
  pageRule: {
    path: "/pagerules",
    bodyFor: (zone: string) => ({
      targets: [{ target: "url", constraint: { operator: "matches", value: `${zone}/*` } }],
      actions: [{ id: "disable_security" }],
    }),
  },
};

function verdictOf(answer: TestAnswer | undefined): Verdict {
  return answer === undefined || answer.status < 300 ? 0 : (answer.body.errors[0]?.code ?? answer.status);
}

/** Reads what a zone shows of its migration. */
async function seen(zone: Zone) {
  const [status, check, config, stored] = await Promise.all([
    zone.send("GET", "/waf_migration/status"),
    zone.send("GET", "/waf_migration/check"),
    zone.send("GET", "/waf_migration/config?phase_two=1"),
    zone.send("GET", entryPoint),
  ]);
  const { migration_state, new_waf_status, old_waf_status } = status.body.result;
  return {
    migration_state,
    versions: { new: new_waf_status, old: old_waf_status },
    compatible: check.body.result.compatible,
    config: verdictOf(config),
    rules: stored.status === 404 ? undefined : stored.body.result.rules.length,
  };
}

function expectedOf(model: Model): Awaited<ReturnType<typeof seen>> {
  const isComplete = model.state === "complete";
  return {
    migration_state: model.state,
    versions: {
      new: model.state === "start" ? "disabled" : "enabled",
      old: isComplete ? "disabled" : "enabled",
    },
    compatible: !isComplete && model.obstacle(false) === 0,
    config: isComplete ? 40_010 : model.obstacle(true),
    rules: model.rules?.length,
  };
}

onComparedEngines("the WAF migration, step by step beside a model of it", (engine) => {
  test("follows the table of its states, whatever is asked in whatever order", async (t) => {
    const app = await startTestApp(t, engine);
    const rounds = roundsOr(40);
    let zones = 0;
    let steps = 0;
    const lead = async (sequence: readonly Step[]): Promise<void> => {
      const name = `z${(zones += 1)}.example`;
      const zone = new Zone(app, name, await app.createZone(name));
      const model = new Model();
      for (const asked of sequence) {
        // Of what is there already, or not there, the zone is not asked.
        const isIdle =
          (asked.does === "add" && zone.ids.has(asked.obstacle)) ||
          (asked.does === "remove" && !zone.ids.has(asked.obstacle));
        if (isIdle) continue;
        steps += 1;
        const expected = model.take(asked);
        assert.equal(await zone.take(asked), expected);
        assert.deepEqual(await seen(zone), expectedOf(model));
      }
    };
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), lead);
    const numRuns = Math.ceil(rounds / lanes);
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) => fc.assert(property, { numRuns, seed: 7 + lane })),
    );
    t.diagnostic(`${numRuns * lanes} sequences, ${steps} steps, no difference`);
  });
});
