import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { planMigration } from "../src/core/waf-plan/plan.ts";
import { exceededLimits, obstacles } from "../src/core/waf-plan/eligibility.ts";
import type { PreviousWaf } from "../src/core/previous-waf/previous-waf.ts";
import { asOwner, call, createZone, withDirectory, withZoneward } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { memoryMegabytes, zonewardCommand, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const rounds = 7;
const rulesMax = 200;
const expressionBytes = 4_096;
const plansPerRound = 20;
const zonesOfAll = 10_000;
/** Memory is looked at from here on: what the program needs to begin is in place. */
const zonesAtFirst = 1_000;

/** Planning and saving the migration of the largest zone that can migrate, and migrating many by one command. */
export async function wafMigration(): Promise<Finding[]> {
  const planned = measurePlanning();
  const saved = await withDirectory((data) => withZoneward(data, measureSaving));
  const migrated = await withDirectory(measureMany);
  return [...planned, ...saved, ...migrated];
}

/** Milliseconds a plan, for zones with rules of 4 KB. */
function measurePlanning(): Finding[] {
  const timesOf = (rules: number, bytes: number): number[] => {
    const previous = previousWafOf(rules, bytes);
    const values: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const began = performance.now();
      for (let n = 0; n < plansPerRound; n += 1) {
        if (obstacles(previous, true).length > 0 || exceededLimits(previous).length > 0) {
          throw new Error("the zone of the benchmark cannot migrate");
        }
        // The answer is text: a plan that nobody renders has not read its expressions.
        JSON.stringify(planMigration(previous));
      }
      if (round >= 0) values.push((performance.now() - began) / plansPerRound);
    }
    return values;
  };
  const full = timesOf(rulesMax, expressionBytes);
  const half = timesOf(rulesMax / 2, expressionBytes);
  const quarter = timesOf(rulesMax / 4, expressionBytes);
  const times = (more: readonly number[], fewer: readonly number[]): number[] =>
    more.map((value, round) => value / (fewer[round] ?? Number.NaN));
  return [
    {
      what: "plan of a zone with 200 firewall rules of 4 KB",
      values: full.map((value) => value * 1_000),
      unit: "us",
    },
    {
      what: "plan, 200 rules / 100 rules of 4 KB",
      values: times(full, half),
      unit: "x",
      budget: { most: 2.4 },
    },
    {
      what: "plan, 200 rules / 50 rules of 4 KB",
      values: times(full, quarter),
      unit: "x",
      budget: { most: 4.8 },
    },
  ];
}

/** The whole migration of such a zone over HTTP beside the plain PUT of the same ruleset to another zone. */
async function measureSaving(server: ServerProcess): Promise<Finding[]> {
  const plain: number[] = [];
  const migration: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const zoneIds = [
      await createZone(server, `migrates-${round + 2}.example`),
      await createZone(server, `plain-${round + 2}.example`),
    ] as const;
    for (const zoneId of zoneIds) await createFirewallRules(server, zoneId);
    const [migrating, other] = zoneIds.map((zoneId) => `/zones/${zoneId}`);
    const entryPoint = "rulesets/phases/http_request_firewall_managed/entrypoint";

    const began = performance.now();
    const configuration = await call(server, "GET", `${migrating}/waf_migration/config?phase_two=1`);
    const { name, rules } = JSON.parse(configuration).result;
    await call(server, "PUT", `${migrating}/${entryPoint}?waf_migration=pending&phase_two=1`, {
      name,
      rules,
    });
    const migratedMs = performance.now();
    await call(server, "PUT", `${other}/${entryPoint}`, { name, rules });
    const endedMs = performance.now();
    if (round < 0) continue;
    migration.push(migratedMs - began);
    plain.push(endedMs - migratedMs);
  }
  return [
    { what: "plan and save of a migration with 200 rules of 4 KB", values: migration, unit: "ms" },
    { what: "plain PUT of the same ruleset", values: plain, unit: "ms" },
    {
      what: "plan and save / plain PUT of the same ruleset",
      values: migration.map((value, round) => value / (plain[round] ?? Number.NaN)),
      unit: "x",
      budget: { most: 3 },
    },
  ];
}

async function createFirewallRules(server: ServerProcess, zoneId: string): Promise<void> {
  const rulesPerRequest = 50;
  const { firewallRules } = previousWafOf(rulesMax, expressionBytes);
  for (let n = 0; n < rulesMax; n += rulesPerRequest) {
    const rules = firewallRules
      .slice(n, n + rulesPerRequest)
      .map(({ action, products, description, expression }) => ({
        action,
        products,
        description,
        filter: { expression },
      }));
    await call(server, "POST", `/zones/${zoneId}/firewall/rules`, rules);
  }
}

/** `zoneward waf migrate` on 10,000 zones with a firewall rule each. */
async function measureMany(data: string): Promise<Finding[]> {
  await withZoneward(data, async (server) => {
    const send = (requests: number, request: (n: number) => string) =>
      sendRequests({ port: server.port, requests, request });
    await send(zonesOfAll, (n) => asOwner("POST", "/zones", { name: `zone-${n}.example` }));
    const ids: string[] = [];
    for (let page = 1; ids.length < zonesOfAll; page += 1) {
      const { result } = JSON.parse(await call(server, "GET", `/zones?per_page=50&page=${page}`));
      ids.push(...result.map(({ id }: { id: string }) => id));
    }
    const rule = {
      action: "bypass",
      products: ["waf"],
      filter: { expression: 'http.host eq "a.example.com"' },
    };
    const { refused } = await send(ids.length, (n) =>
      asOwner("POST", `/zones/${ids[n]}/firewall/rules`, [rule]),
    );
    if (refused > 0) throw new Error(`${refused} firewall rules were refused`);
  });

  const command = [...zonewardCommand, "waf", "migrate", "--json", `--data=${data}`];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const { pid } = child;
  if (pid === undefined) throw new Error("zoneward waf migrate cannot be started");
  let zones = 0;
  let atFirst = { now: Number.NaN, highest: Number.NaN };
  let atLast = atFirst;
  let began = 0;
  for await (const line of createInterface(child.stdout)) {
    zones += 1;
    if (JSON.parse(line).outcome !== "migrated") throw new Error(line);
    if (zones === 1) began = performance.now();
    if (zones === zonesAtFirst) atFirst = memoryMegabytes(pid);
    // The last zones may be told by a process that has ended.
    if (zones % zonesAtFirst === 0 && zones < zonesOfAll) atLast = memoryMegabytes(pid);
  }
  const seconds = (performance.now() - began) / 1_000;
  await ended;
  if (zones !== zonesOfAll) throw new Error(`only ${zones} zones were migrated`);
  return [
    { what: "10,000 zones migrated by one command", values: [zones / seconds], unit: "zones/s" },
    { what: "resident memory of it, at its highest", values: [atLast.highest], unit: "MB" },
    {
      what: "resident memory at its highest, of 9,000 zones / of 1,000",
      values: [atLast.highest / atFirst.highest],
      unit: "x",
      budget: { most: 1.5 },
    },
  ];
}

function previousWafOf(rules: number, bytes: number): PreviousWaf {
  const expressionOf = (n: number): string => {
    const host = `http.host eq "shop-${n}.example.com" and not http.request.uri.path in {`;
    const paths: string[] = [];
    for (let length = host.length + 1, k = 0; ; k += 1) {
      const path = `"/shop/of/number-${n}/shelf-${k}" `;
      if (length + path.length > bytes) break;
      length += path.length;
      paths.push(path);
    }
    return `${host}${paths.join("")}}`;
  };
  return {
    isOn: true,
    managed: { rules: [] },
    owasp: { sensitivity: "high", actionMode: "challenge", changedGroups: [], changedRules: [] },
    firewallRules: Array.from({ length: rules }, (_, n) => ({
      id: String(n),
      description: `Rule number ${n}`,
      action: "bypass",
      products: ["waf"],
      isPaused: false,
      expression: expressionOf(n),
    })),
    pageRules: [],
    overrideIds: [],
  };
}
