import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";

import type { Page, PageRequest } from "../../core/page.ts";
import type { VisibleZones } from "../../core/policy/visibility.ts";
import { isIn, matchesText, type TextMatch } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import { statement } from "../../storage/statement.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import { turnOfAccount } from "../../storage/turns-of-accounts.ts";
import type { DnsChangeRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { planNames, plans, type PlanName } from "./plans.ts";
import { toAsciiName } from "../../core/dns/content/name.ts";

export type ZoneWithAccount = ZoneRow & { readonly account_name: string };

export interface ZoneFilter {
  readonly name: NameFilter | undefined;
  readonly status: ZoneRow["status"] | undefined;
  readonly types: readonly string[] | undefined;
  readonly accountId: string | undefined;
  readonly accountName: NameFilter | undefined;
  readonly match: "any" | "all";
}

const planId = sql<string>`case zones.plan ${sql.join(
  planNames.map((name) => sql`when ${name} then ${plans[name].id}`),
  sql` `,
)} end`;

const zoneOrderings = {
  name: sql.ref("zones.name"),
  status: sql.ref("zones.status"),
  "account.id": sql.ref("zones.account_id"),
  "account.name": sql.ref("accounts.name_folded"),
  "plan.id": planId,
} as const;
type ZoneOrdering = keyof typeof zoneOrderings;

/** Updates a zone's record count, record version and serial. */
export const updateRecordState = statement<{ id: string; count: number; version: number; serial: number }>(`
  update zones set dns_record_count = :count, dns_records_version = :version, dns_serial = :serial where id = :id`);

/** Inserts a change; the records before it are kept for zones that are transferred. */
export const insertDnsChange = statement<DnsChangeRow>(`
  insert into dns_changes (zone_id, version, names, serial_before, serial, records_before)
  values (:zone_id, :version, :names, :serial_before, :serial, case when exists (
    select 1 from outgoing_transfers where zone_id = :zone_id and enabled = 1) then :records_before end)`);

export const deleteDnsChanges = statement<{ zoneId: string; upTo: number }>(
  "delete from dns_changes where zone_id = :zoneId and version <= :upTo",
);

/**
 * Drops the stored records (`records_before`) of all but the latest changes, which may have `lengthMax`
 * characters in all.
 */
export const forgetRecordsBefore = statement<{ zoneId: string; lengthMax: number }>(`
  update dns_changes set records_before = null
  where zone_id = :zoneId and records_before is not null and version <= (
    select max(version) from (
      select version, sum(length(records_before)) over (order by version desc) as length_up_to
      from dns_changes where zone_id = :zoneId and records_before is not null) as journal
    where length_up_to > :lengthMax)`);

const zoneWithAccountById = statement<{ id: string }, ZoneWithAccount>(`
  select zones.*, accounts.name as account_name from zones join accounts on accounts.id = account_id
  where zones.id = :id`);

export async function selectZoneWithAccount(db: Db, id: string): Promise<ZoneWithAccount | undefined> {
  const [row] = await zoneWithAccountById(db, { id });
  return row;
}

/** The zone of the account with the longest of the names. */
export async function selectZoneOfNames(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<ZoneRow | undefined> {
  return db
    .selectFrom("zones")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("name", "in", names)
    .orderBy(({ fn }) => fn<number>("length", ["name"]), "desc")
    .executeTakeFirst();
}

export async function selectAccountsOfZones(
  db: Db,
  ids: readonly string[],
): Promise<Pick<ZoneRow, "id" | "account_id">[]> {
  return db
    .selectFrom("zones")
    .select(["id", "account_id"])
    .where((expression) => isIn(expression.ref("id"), { mode: "only", ids }))
    .execute();
}

export async function selectZones(
  db: Db,
  visible: VisibleZones,
  filter: ZoneFilter,
  page: PageRequest<ZoneOrdering>,
): Promise<Page<ZoneWithAccount>> {
  const query = zonesWithAccount(db)
    .where((expression) => shows(expression, visible))
    .where((expression) => matches(expression, filter));
  return selectPage(
    query.orderBy(zoneOrderings[page.order], page.direction).orderBy("zones.id", page.direction),
    page,
  );
}

export async function existsVisibleZone(db: Db, visible: VisibleZones, accountId: string): Promise<boolean> {
  const row = await zonesWithAccount(db)
    .where("zones.account_id", "=", accountId)
    .where((expression) => shows(expression, visible))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectPlansOfAccounts(
  db: Db,
  accountIds: readonly string[],
): Promise<Pick<ZoneRow, "plan">[]> {
  return db
    .selectFrom("zones")
    .select("plan")
    .distinct()
    .where((expression) => isIn(expression.ref("account_id"), { mode: "only", ids: accountIds }))
    .execute();
}

/** Selects zones with the previous WAF; for `validation` those with that version only. */
export interface ZonesToMigrate {
  readonly to: "new" | "validation";
  readonly accountId?: string | undefined;
  readonly plan?: PlanName | undefined;
}

/** The next zones after an id, by id. */
export async function selectZonesToMigrate(
  db: Db,
  wanted: ZonesToMigrate,
  afterId: string,
  limit: number,
): Promise<ZoneRow[]> {
  return zonesToMigrate(db, wanted)
    .selectAll()
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function countZonesToMigrate(db: Db, wanted: ZonesToMigrate): Promise<number> {
  return countRows(zonesToMigrate(db, wanted));
}

function zonesToMigrate(db: Db, { to, accountId, plan }: ZonesToMigrate) {
  return db
    .selectFrom("zones")
    .where("waf", "in", to === "new" ? ["previous", "validation"] : ["previous"])
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .$if(plan !== undefined, (query) => query.where("plan", "=", plan ?? "free"));
}

/** Zones with the status that were last looked up before `checkedBefore`, or never. */
export async function selectZonesToCheck(
  db: Db,
  status: ZoneRow["status"],
  checkedBefore: Timestamp,
  limit: number,
): Promise<ZoneRow[]> {
  return (
    db
      .selectFrom("zones")
      .selectAll()
      .where("status", "=", status)
      .where((expression) =>
        expression.or([expression("checked_on", "is", null), expression("checked_on", "<=", checkedBefore)]),
      )
      .orderBy(turnOfAccount("zones.id", "checked_on"))
      // The engines sort null differently; new zones go first.
      .orderBy("checked_on", (order) => order.asc().nullsFirst())
      .limit(limit)
      .execute()
  );
}

/** Zones that are to be judged at once, of those created up to a time; oldest first. */
export async function selectDueZones(db: Db, createdBefore: Timestamp, limit: number): Promise<ZoneRow[]> {
  return db
    .selectFrom("zones")
    .selectAll()
    .where("check_due", "=", 1)
    .where("created_on", "<=", createdBefore)
    .orderBy(turnOfAccount("zones.id", "created_on"))
    .orderBy("created_on")
    .limit(limit)
    .execute();
}

/** Selects when the oldest of them was created. */
export async function selectOldestDueZone(db: Db): Promise<Timestamp | undefined> {
  const row = await db
    .selectFrom("zones")
    .select("created_on")
    .where("check_due", "=", 1)
    .orderBy("created_on")
    .limit(1)
    .executeTakeFirst();
  return row?.created_on;
}

/** Selects when the zones of each status were last checked; null where one never was. */
export async function selectOldestChecks(
  db: Db,
): Promise<{ readonly status: ZoneRow["status"]; readonly checked_on: Timestamp | null }[]> {
  return db
    .selectFrom("zones")
    .select(["status", sql<Timestamp | null>`nullif(min(coalesce(checked_on, '')), '')`.as("checked_on")])
    .groupBy("status")
    .execute();
}

function zonesWithAccount(db: Db) {
  return db
    .selectFrom("zones")
    .innerJoin("accounts", "accounts.id", "zones.account_id")
    .selectAll("zones")
    .select("accounts.name as account_name");
}

type Expressions = ExpressionBuilder<Tables, "zones" | "accounts">;

function shows({ ref, and, or }: Expressions, { others, named }: VisibleZones): Expression<SqlBool> {
  const id = ref("zones.id");
  const accountId = ref("zones.account_id");
  const namedIds = named.flatMap(({ zoneIds }) => zoneIds);
  return or([
    and([isIn(id, { mode: "except", ids: namedIds }), isIn(accountId, others)]),
    ...named.map(({ zoneIds, accounts }) =>
      and([isIn(id, { mode: "only", ids: zoneIds }), isIn(accountId, accounts)]),
    ),
  ]);
}

function matches(expression: Expressions, filter: ZoneFilter): Expression<SqlBool> {
  const { ref } = expression;
  const conditions: Expression<SqlBool>[] = [];
  if (filter.name) conditions.push(matchesZoneName(expression, filter.name));
  if (filter.status) conditions.push(sql<SqlBool>`${ref("zones.status")} = ${filter.status}`);
  if (filter.types) conditions.push(sql<SqlBool>`${ref("zones.type")} in (${sql.join(filter.types)})`);
  if (filter.accountId) conditions.push(sql<SqlBool>`${ref("zones.account_id")} = ${filter.accountId}`);
  if (filter.accountName) {
    conditions.push(matchesName(ref("accounts.name"), ref("accounts.name_folded"), filter.accountName));
  }
  if (conditions.length === 0) return sql<SqlBool>`1 = 1`;
  return filter.match === "any" ? expression.or(conditions) : expression.and(conditions);
}

/** Exact names are in ASCII; parts of a name may be in either form. */
function matchesZoneName({ ref, or }: Expressions, filter: NameFilter): Expression<SqlBool> {
  const { match, value, negated } = filter;
  const condition = or([
    matchesText(ref("zones.name"), match, value),
    ...(match === "exact"
      ? []
      : [
          sql<SqlBool>`(unicode_name is not null and ${matchesText(ref("zones.unicode_name"), match, value)})`,
        ]),
  ]);
  return negated ? sql<SqlBool>`not (${condition})` : condition;
}

function matchesName(
  exact: Expression<string>,
  folded: Expression<string>,
  { match, negated, caseSensitive, value }: NameFilter,
): Expression<SqlBool> {
  const condition = matchesText(caseSensitive ? exact : folded, match, value);
  return negated ? sql<SqlBool>`not (${condition})` : condition;
}

interface NameFilter {
  readonly match: TextMatch;
  readonly negated: boolean;
  readonly caseSensitive: boolean;
  readonly value: string;
}

const operators: ReadonlyMap<string, Omit<NameFilter, "value">> = new Map([
  ["equal", { match: "exact", negated: false, caseSensitive: false }],
  ["not_equal", { match: "exact", negated: true, caseSensitive: false }],
  ["starts_with", { match: "startswith", negated: false, caseSensitive: false }],
  ["ends_with", { match: "endswith", negated: false, caseSensitive: false }],
  ["contains", { match: "contains", negated: false, caseSensitive: false }],
  ["starts_with_case_sensitive", { match: "startswith", negated: false, caseSensitive: true }],
  ["ends_with_case_sensitive", { match: "endswith", negated: false, caseSensitive: true }],
  ["contains_case_sensitive", { match: "contains", negated: false, caseSensitive: true }],
]);

/**
 * Parses `operator:value`. Without a known operator it is all value, as names of accounts may contain colons.
 */
export function parseNameFilter(text: string): NameFilter {
  const colon = text.indexOf(":");
  const operator = colon === -1 ? undefined : operators.get(text.slice(0, colon));
  const value = operator === undefined ? text : text.slice(colon + 1);
  const { match, negated, caseSensitive } = operator ?? {
    match: "exact",
    negated: false,
    caseSensitive: false,
  };
  return { match, negated, caseSensitive, value: caseSensitive ? value : value.toLowerCase() };
}

/** The same for zone names, which may be in Unicode or end with a dot. */
export function parseZoneNameFilter(text: string): NameFilter {
  const filter = parseNameFilter(text);
  const value = filter.match === "exact" ? toAsciiName(filter.value) : undefined;
  return value === undefined ? filter : { ...filter, value };
}
