import { PostgresAdapter, sql } from "kysely";

import type { Sealed } from "./schema/table.ts";
import type { Database } from "./database.ts";
import { refuseDevelopmentStore, selectMissingMigrations } from "./migrations.ts";
import { storedSecrets } from "./sealed-columns.ts";
import { rowsOf } from "./table-rows.ts";
import type { Db } from "./tables.ts";
import { isUnfinishedCopy } from "./unfinished-copies.ts";

interface Finding {
  readonly what: string;
  readonly issues: readonly string[];
}

/** Throws if the secret cannot be decrypted. */
type OpenSecret = (sealed: Sealed, place: string) => string;

const issuesMax = 20;

/** Checks one snapshot of a store, which may be in use, and changes nothing. */
export async function checkStore(db: Database, openSecret: OpenSecret): Promise<readonly Finding[]> {
  await refuseDevelopmentStore(db.read);
  return db.snapshot(async (state) => {
    const missing = await selectMissingMigrations(state);
    const found = [
      ...(await findInFile(state)),
      { what: "migrations", issues: missing.map((name) => `${name} is missing: a server applies it`) },
    ];
    if (missing.length > 0) return found;
    return [
      ...found,
      { what: "completeness", issues: (await isUnfinishedCopy(state)) ? ["it is an unfinished copy"] : [] },
      { what: "records", issues: await findInRecords(state) },
      { what: "numbers of records", issues: await findInCounts(state) },
      { what: "versions of rulesets", issues: await findInRulesets(state) },
      { what: "encrypted secrets", issues: await findInSecrets(state, openSecret) },
    ];
  });
}

/** Only SQLite: PostgreSQL enforces references always, and takes care of its files. */
async function findInFile(state: Db): Promise<readonly Finding[]> {
  if (state.getExecutor().adapter instanceof PostgresAdapter) return [];
  const { rows } = await sql<{ integrity_check: string }>`
    pragma integrity_check(${sql.lit(issuesMax)})`.execute(state);
  const lines = rows.map((row) => row.integrity_check);
  const references = await sql<{ table: string; parent: string; rowid: number | null }>`
    pragma foreign_key_check`.execute(state);
  return [
    { what: "file", issues: lines.filter((line) => line !== "ok") },
    {
      what: "references",
      issues: references.rows
        .slice(0, issuesMax)
        .map(({ table, parent, rowid }) => `${rowOf(table, rowid)} refers to a missing row of ${parent}`),
    },
  ];
}

function rowOf(table: string, rowid: number | null): string {
  return rowid === null ? `a row of ${table}` : `row ${rowid} of ${table}`;
}

async function findInRecords(state: Db): Promise<readonly string[]> {
  const issues: string[] = [];
  for await (const rows of rowsOf(state, "dns_records")) {
    for (const { id, record } of rows) {
      if (idIn(String(record)) !== id) issues.push(`the record ${id} cannot be read`);
    }
    if (issues.length > issuesMax) break;
  }
  return issues.slice(0, issuesMax);
}

function idIn(record: string): unknown {
  try {
    return (JSON.parse(record) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}

async function findInCounts(state: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; noted: number; found: number | string }>`
    select zones.name, dns_record_count as noted, count(dns_records.id) as found
    from zones left join dns_records on dns_records.zone_id = zones.id
      and shown_from <= records_generation and (shown_until is null or shown_until > records_generation)
    group by zones.id, zones.name, dns_record_count
    having count(dns_records.id) <> dns_record_count limit ${issuesMax}`.execute(state);
  return rows.map(({ name, noted, found }) => `${name} has ${found} records but counts ${noted}`);
}

async function findInRulesets(state: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; version: number }>`
    select id, rulesets.version from rulesets
    left join ruleset_versions on ruleset_id = id and ruleset_versions.version = rulesets.version
    where ruleset_id is null limit ${issuesMax}`.execute(state);
  return rows.map(({ id, version }) => `the ruleset ${id} has no version ${version}`);
}

async function findInSecrets(state: Db, openSecret: OpenSecret): Promise<readonly string[]> {
  const issues: string[] = [];
  for await (const secrets of storedSecrets(state)) {
    for (const { sealed, place } of secrets) {
      try {
        openSecret(sealed, place);
      } catch (error) {
        issues.push(`${place}: ${(error as Error).message}`);
      }
    }
    if (issues.length > issuesMax) break;
  }
  return issues.slice(0, issuesMax);
}
