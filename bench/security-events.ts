import { join } from "node:path";

import { sql } from "kysely";

import { openDatabase } from "../src/storage/open-database.ts";
import { call, createZone, withDirectory, withServers } from "./fixture.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import { cpuMicroseconds, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const rounds = 7;
const events = 100_000;

/** The dashboard's queries about a zone with as many events as are kept by default. */
export async function securityEvents(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    const zoneId = await withServers([() => startZoneward(data)], (server) =>
      createZone(server, "busy.example"),
    );
    await insertEvents(join(data, "zoneward.sqlite"), zoneId);
    const turns = join(data, "turns");
    return withServers([() => startZoneward(data, measuringTurns(turns))], (server) =>
      measure(server, zoneId, turns),
    );
  });
}

/** Two events a request, one of each version of the managed rules, spread over the last 20 hours. */
async function insertEvents(file: string, zoneId: string): Promise<void> {
  const began = Date.now() - 72_000_000;
  const copies = sql`
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < ${events})
    insert into security_events (
      id, zone_id, datetime, ray_name, kind, source, action, ruleset_id, rule_id, rule_message, client_ip,
      client_asn, client_country, user_agent, referer_host, host, method, protocol, path, query, metadata,
      match_index, edge_status, origin_status, request_scheme
    )
    select
      printf('%032x', n), ${zoneId},
      strftime('%Y-%m-%dT%H:%M:%SZ', ${Math.floor(began / 1_000)} + n * 72 / 100, 'unixepoch'),
      printf('%016x', n / 2), 'firewall', iif(n % 2 = 0, 'firewallManaged', 'waf'),
      iif(n % 3 = 0, 'log', 'block'), 'efb7b8c949ac4650a09736fc376e9aee', printf('%032x', n % 200),
      'A rule of the managed rules', '192.0.2.' || n % 250, '64496', 'DE', 'Mozilla/5.0', '', 'busy.example',
      'GET', 'HTTP/2', '/page/' || n % 500, 'q=1', '[{"key":"owasp_scores","value":"5"}]', 0, 403, 0, 'https'
    from numbers
  `;
  const db = await openDatabase({ engine: "sqlite", file });
  try {
    await db.transaction(async (tx) => copies.execute(tx));
  } finally {
    await db.close();
  }
}

async function measure(server: ServerProcess, zoneId: string, turns: string): Promise<Finding[]> {
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const groups = (dimensions: string, more = "limit: 5000"): string =>
    `firewallEventsAdaptiveGroups(filter: { datetime_geq: "${since}" }, ${more}) { count dimensions { ${dimensions} } }`;
  const graphql = (selection: string) => () =>
    call(server, "POST", "/graphql", {
      query: `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { ${selection} } } }`,
    });
  const asked = {
    "events counted by action and hour": graphql(groups("action datetimeHour")),
    "events ranked by rule": graphql(groups("ruleId ruleMessage", "limit: 5, orderBy: [count_DESC]")),
    "events counted by request": graphql(groups("rayName clientIP clientRequestPath datetime")),
    "both versions compared": () => call(server, "GET", `/zones/${zoneId}/waf_migration/report?hours=24`),
  };
  const findings: Finding[] = [];
  for (const [what, ask] of Object.entries(asked)) {
    const cpu: number[] = [];
    const longest: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      await longestTurn(server, turns);
      const before = cpuMicroseconds(server.pid);
      await ask();
      const spent = cpuMicroseconds(server.pid) - before;
      const turn = await longestTurn(server, turns);
      if (round < 0) continue;
      cpu.push(spent / 1_000);
      longest.push(turn);
    }
    findings.push(
      { what: `100,000 ${what}, CPU`, values: cpu, unit: "ms" },
      { what: `100,000 ${what}, longest turn`, values: longest, unit: "ms", budget: { most: 50 } },
    );
  }
  return findings;
}
