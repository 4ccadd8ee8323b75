import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { onEachEngine, sendRequest, type TestAnswer } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { newStore, ownerFlags, spawnServer } from "../support/spawned-server.ts";
import { assertIntact } from "./intact.ts";

const zonesPerRound = 12;

/** The state of a zone's migration, from the store alone. */
interface Sight {
  readonly state: string;
  /** The version of the entry point; 0 where there is none. */
  readonly version: number;
  readonly rules: number;
  readonly hasPreviousEndpoints: boolean;
  readonly logged: number;
}

const before = { state: "start", version: 0, rules: 0, hasPreviousEndpoints: true, logged: 0 };

const rules = Array.from({ length: 40 }, (_, index) => ({
  action: index === 39 ? "execute" : "skip",
  expression: index === 39 ? "true" : `http.host eq "h${index}.example.com"`,
  action_parameters: index === 39 ? { id: "efb7b8c949ac4650a09736fc376e9aee" } : { ruleset: "current" },
}));

onEachEngine("zones that migrate while the server is killed", (engine) => {
  test("are each wholly before or wholly after the migration", async (t) => {
    const { flags, file, untilFree } = await newStore(t, engine);
    const start = () => spawnServer(t, [...flags, "--log-level=error", ...ownerFlags]);
    const counts = { before: 0, after: 0, acknowledged: 0 };
    const rounds = roundsOr(3);
    let server = await start();

    for (let round = 0; round < rounds; round += 1) {
      const { baseUrl } = server;
      const zones = await Promise.all(
        Array.from({ length: zonesPerRound }, (_, n) => createZone(baseUrl, `r${round}-z${n}.example`)),
      );
      // Half of the zones validate first: what is before their migration is another thing.
      const validating = zones.filter((_, n) => n % 2 === 1);
      const begun = performance.now();
      for (const { id } of validating) assert.equal((await migrate(baseUrl, id, "validation")).status, 200);
      const msEach = (performance.now() - begun) / validating.length;
      const steps = zones.map((zone, n) => ({
        zone,
        mode: n % 4 === 2 ? "validation" : "pending",
        from: n % 2 === 1 ? afterStep(before, "validation") : before,
      }));

      const acknowledged = new Set<string>();
      const asked = steps.map(async ({ zone: { id }, mode }) => {
        const answer = await migrate(baseUrl, id, mode).catch(() => undefined);
        if (answer === undefined) return;
        assert.equal(answer.status, 200, answer.text);
        acknowledged.add(id);
      });
      // Side by side they take about half of the time: by then most of them are over, on any machine.
      await delay((Math.random() * msEach * zonesPerRound) / 2);
      assert.equal(await server.end("SIGKILL"), "SIGKILL");
      await Promise.all(asked);
      await untilFree();
      if (file !== undefined) assertIntact(file);

      server = await start();
      for (const { zone, mode, from } of steps) {
        const seen = await look(server.baseUrl, zone);
        const after = afterStep(from, mode);
        const isAfter = seen.state === after.state;
        assert.deepEqual(seen, isAfter ? after : from);
        assert.ok(isAfter || !acknowledged.has(zone.id), "an acknowledged migration is gone");
        counts[isAfter ? "after" : "before"] += 1;
      }
      counts.acknowledged += acknowledged.size;
    }
    t.diagnostic(
      `${rounds} rounds: ${counts.acknowledged} migrations acknowledged, all there; ` +
        `${counts.after} zones after, ${counts.before} before, none between`,
    );
  });
});

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly account: string;
}

async function createZone(baseUrl: string, name: string): Promise<Zone> {
  const { body, text } = await sendRequest(baseUrl, "POST", "/zones", { body: { name } });
  assert.ok(body.success, text);
  return { id: body.result.id, name, account: body.result.account.id };
}

const entryPoint = "rulesets/phases/http_request_firewall_managed/entrypoint";

function migrate(baseUrl: string, id: string, mode: string): Promise<TestAnswer> {
  const path = `/zones/${id}/${entryPoint}?waf_migration=${mode}&phase_two=1`;
  return sendRequest(baseUrl, "PUT", path, { body: { rules } });
}

function afterStep(from: Sight, mode: string): Sight {
  const state = mode === "pending" ? "complete" : "validation";
  return {
    state,
    version: from.version + 1,
    rules: rules.length,
    hasPreviousEndpoints: state !== "complete",
    logged: from.logged + 1,
  };
}

async function look(baseUrl: string, { id, name, account }: Zone): Promise<Sight> {
  const get = (path: string) => sendRequest(baseUrl, "GET", path);
  const status = await get(`/zones/${id}/waf_migration/status`);
  const stored = await get(`/zones/${id}/${entryPoint}`);
  const packages = await get(`/zones/${id}/firewall/waf/packages`);
  const log = await get(`/accounts/${account}/audit_logs?zone.name=${name}&action.type=waf_migrate`);
  const { migration_state, new_waf_status, old_waf_status } = status.body.result;
  assert.ok(new_waf_status === "enabled" || old_waf_status === "enabled", "neither version is in force");
  return {
    state: migration_state,
    version: stored.status === 404 ? 0 : Number(stored.body.result.version),
    rules: stored.status === 404 ? 0 : stored.body.result.rules.length,
    hasPreviousEndpoints: packages.status === 200,
    logged: log.body.result.length,
  };
}
