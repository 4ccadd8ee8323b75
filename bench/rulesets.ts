import assert from "node:assert/strict";
import { join } from "node:path";

import type { Caller } from "../src/core/policy/caller.ts";
import { compilePolicies } from "../src/core/policy/grants.ts";
import { findBuiltInRuleset, ManagedRulesets } from "../src/core/judging/managed-rulesets.ts";
import { evaluate } from "../src/core/judging/evaluate.ts";
import { SharedExpressions } from "../src/core/judging/shared-expressions.ts";
import { assembleProgram } from "../src/core/judging/program.ts";
import type { Ruleset } from "../src/core/rulesets/ruleset.ts";
import { createExpressionEngine, createEngines } from "../src/engines/engines.ts";
import { zoneUnitOfWork } from "../src/operation/scope.ts";
import { addAccount } from "../src/resources/accounts/accounts.ts";
import { ofZone, saveEntryPoint, type RulesetContext } from "../src/resources/rulesets/rulesets.ts";
import { addZone, type ZoneContext } from "../src/resources/zones/zones.ts";
import type { DatabaseLocation } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { requestOf } from "../test/support/request-context.ts";
import { withDirectory } from "./fixture.ts";
import type { Finding } from "./report.ts";
import { createZoneContext } from "./store-context.ts";

const rounds = 7;
const saves = 20;
const traces = 5_000;
const phase = "http_request_firewall_custom";
const engine = createExpressionEngine(createEngines());

/** Saving an entry point of 200 rules on both engines, and leading a request through the whole Managed Ruleset. */
export async function rulesets(): Promise<Finding[]> {
  const sqlite = await withDirectory((data) =>
    saveOn({ engine: "sqlite", file: join(data, "zoneward.sqlite") }),
  );
  const postgres = await startPostgres();
  try {
    const onPostgres = await saveOn({ engine: "postgres", url: postgres.url });
    const { traced, harmless } = traceManagedRuleset();
    return [
      {
        what: "trace through the whole Managed Ruleset, a harmless request, CPU",
        values: harmless,
        unit: "us",
        budget: { most: 100 },
      },
      {
        what: "trace through the whole Managed Ruleset, an attack that is logged, CPU",
        values: traced,
        unit: "us",
        budget: { most: 100 },
      },
      { what: "save of an entry point of 200 rules, SQLite file", values: sqlite, unit: "ms" },
      { what: "save of an entry point of 200 rules, PostgreSQL", values: onPostgres, unit: "ms" },
    ];
  } finally {
    await postgres.stop();
  }
}

/** Rules as teams write them: every fourth has a regular expression, and no two are the same. */
const rulesOf = (save: number) =>
  Array.from({ length: 200 }, (_, n) => ({
    action: n % 3 === 0 ? "managed_challenge" : "block",
    ref: `rule-${n}`,
    description: `Rule number ${n} of save ${save}`,
    expression:
      n % 4 === 0
        ? `http.request.uri.path matches "^/(api|v${n})/[a-z0-9]+$" and not ip.src in {192.0.2.0/24}`
        : `(http.host eq "shop-${n}.example.com" and http.request.uri.path contains "/admin/${n}") or ip.src in {198.51.100.${n} 203.0.113.0/24}`,
  }));

/** Milliseconds a save, its mean in each round. Every save changes every rule. */
async function saveOn(location: DatabaseLocation): Promise<number[]> {
  const db = await openDatabase(location);
  await db.migrate();
  const context: ZoneContext & RulesetContext = {
    ...createZoneContext(db),
    vendor: "cloudflare",
    managed: new ManagedRulesets("cloudflare"),
    refuseZoneRules: () => undefined,
    loadExpressionEngine: async () => engine,
  };
  const { accountId, zoneId } = await db.transaction(async (tx) => {
    const { id } = await addAccount(context, tx, { name: "A" });
    const zone = await addZone(context, tx, { name: "example.com", type: "full", accountId: id });
    return { accountId: id, zoneId: zone.id };
  });
  const grants = compilePolicies([]);
  const caller: Caller = {
    user: undefined,
    credential: { kind: "token", tokenId: "", accountId },
    accountIds: [accountId],
    grants,
    grantors: null,
    address: "192.0.2.1",
    noteAuditLog: () => undefined,
  };
  const values: number[] = [];
  let saved = 0;
  for (let round = -1; round < rounds; round += 1) {
    const began = performance.now();
    for (let n = 0; n < saves; n += 1) {
      saved += 1;
      const body = { rules: rulesOf(saved) };
      await engine.prepareChecks(body);
      await zoneUnitOfWork(context, caller, zoneId, (work) =>
        saveEntryPoint({ ...work, owner: ofZone(work.zone), engine, dryRun: false }, phase, body),
      );
    }
    if (round >= 0) values.push((performance.now() - began) / saves);
  }
  await db.close();
  return values;
}

/** CPU microseconds an evaluation, its mean in each round. Every rule is on, and none ends the way of the request. */
function traceManagedRuleset(): { readonly traced: number[]; readonly harmless: number[] } {
  const cache = new SharedExpressions(engine.compileFilter).lease();
  const managed = findBuiltInRuleset("efb7b8c949ac4650a09736fc376e9aee", "cloudflare");
  assert.ok(managed);
  const entryPoint: Ruleset = {
    ...managed,
    kind: "zone",
    rules: [
      {
        id: "0".repeat(32),
        version: "1",
        action: "execute",
        action_parameters: { id: managed.id, overrides: { action: "log", enabled: true } },
        expression: "true",
        description: "",
        last_updated: managed.last_updated,
        ref: "0",
        enabled: true,
      },
    ],
  };
  const program = assembleProgram([entryPoint], {
    findRuleset: () => managed,
    compile: (expression) => cache.get(expression),
    redirectFor: () => undefined,
    compileValue: () => assert.fail("no rule rewrites"),
  });
  const visit = (url: string) =>
    requestOf(url, {
      headers: {
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0",
        accept: "text/html,application/xhtml+xml",
        "accept-language": "en-GB,en;q=0.9",
        referer: "https://www.example.com/",
      },
      cookies: { session: "0123456789abcdef0123456789abcdef" },
    });
  const measure = (url: string): number[] => {
    const request = visit(url);
    const values: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const before = process.cpuUsage();
      for (let n = 0; n < traces; n += 1) evaluate(program, request);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) values.push((user + system) / traces);
    }
    return values;
  };
  const harmless = measure("https://www.example.com/shop/shoes/42?colour=dark%20red&size=42&sort=price");
  const traced = measure("https://www.example.com/?id=1'%20UNION%20SELECT%20a,b%20FROM%20users--");
  cache.release();
  return { harmless, traced };
}
