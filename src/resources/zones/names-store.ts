import { isShown, isShownOfZones } from "../../storage/shown-records.ts";
import { statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** The columns of a zone that say whose name it has. */
export type OwnerColumns = Pick<
  ZoneRow,
  | "id"
  | "name"
  | "account_id"
  | "vanity_name_servers"
  | "name_server_set"
  | "activation_order"
  | "subdomain_consents"
>;

/** The active zones with these names. Zones of the type `internal` are their account's own affair. */
export async function selectActiveZones(db: Db, names: readonly string[]): Promise<OwnerColumns[]> {
  if (names.length === 0) return [];
  return db
    .selectFrom("zones")
    .select(["id", "name", "account_id", "vanity_name_servers", "name_server_set"])
    .select(["activation_order", "subdomain_consents"])
    .where("name", "in", names)
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .execute();
}

export async function selectZoneFacts(
  db: Db,
  ids: readonly string[],
): Promise<(OwnerColumns & Pick<ZoneRow, "status" | "plan" | "paused" | "waf">)[]> {
  return db
    .selectFrom("zones")
    .select(["id", "name", "account_id", "vanity_name_servers", "name_server_set"])
    .select(["activation_order", "subdomain_consents", "status", "plan", "paused", "waf"])
    .where("id", "in", ids)
    .execute();
}

/** The zones that are or were active. */
export async function selectActivatedZones(db: Db): Promise<(OwnerColumns & Pick<ZoneRow, "status">)[]> {
  return db
    .selectFrom("zones")
    .select(["id", "name", "account_id", "status"])
    .select(["vanity_name_servers", "name_server_set", "activation_order", "subdomain_consents"])
    .where("status", "in", ["active", "moved"])
    .where("type", "<>", "internal")
    .orderBy("name")
    .execute();
}

/** The name servers that NS records of these zones name at these names, which are not those of the zones. */
export async function selectDelegations(
  db: Db,
  { zoneIds, names }: { readonly zoneIds: readonly string[]; readonly names: readonly string[] },
): Promise<{ readonly zoneId: string; readonly name: string; readonly server: string }[]> {
  if (zoneIds.length === 0 || names.length === 0) return [];
  const rows = await db
    .selectFrom("dns_records")
    .innerJoin("zones", "zones.id", "dns_records.zone_id")
    .select(["zone_id", "dns_records.name", "record"])
    .where("zone_id", "in", zoneIds)
    .where("dns_records.name", "in", names)
    .where("dns_records.type", "=", "NS")
    .where(isShownOfZones("dns_records"))
    .execute();
  return rows.map(({ zone_id: zoneId, name, record }) => {
    const { content } = JSON.parse(record) as { readonly content: string };
    return { zoneId, name, server: content.toLowerCase().replace(/\.$/, "") };
  });
}

/** The other zones of a name, locked until the transaction ends. */
export async function selectNamesakesForChange(
  tx: Db,
  { id, name }: Pick<ZoneRow, "id" | "name">,
): Promise<ZoneRow[]> {
  return tx
    .selectFrom("zones")
    .selectAll()
    .where("name", "=", name)
    .where("id", "<>", id)
    .where("type", "<>", "internal")
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** The active zone of a name in another account. */
export async function selectActiveNamesake(
  db: Db,
  { id, name }: Pick<ZoneRow, "id" | "name">,
): Promise<ZoneRow | undefined> {
  return db
    .selectFrom("zones")
    .selectAll()
    .where("name", "=", name)
    .where("id", "<>", id)
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .executeTakeFirst();
}

/** The place of the next zone that is activated for the first time. */
export async function nextActivationOrder(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom("zones")
    .select(({ fn }) => fn.max("activation_order").as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/**
 * One that is due already is locked all the same: its check may be under way, and have read what was before.
 */
const isJudged = "(checked_on is not null or status = 'active')";

const judgeZoneNamed = statement<{ accountId: string; name: string }>(`
  update zones set check_due = 1 where name = :name and account_id <> :accountId and ${isJudged}`);

/** Makes the timer judge the zones of other accounts with these names, if anybody ever asked for that. */
export async function recheckZonesNamed(tx: Db, accountId: string, names: readonly string[]): Promise<void> {
  for (const name of names) await judgeZoneNamed(tx, { accountId, name });
}

/** The same for all below a name. */
export async function recheckZonesBelow(tx: Db, accountId: string, name: string): Promise<void> {
  await judgeOthersBelow(tx, { accountId, below: `%.${name}` });
}

const judgeOthersBelow = statement<{ accountId: string; below: string }>(`
  update zones set check_due = 1 where name like :below and account_id <> :accountId and ${isJudged}`);

/** The same for zones of any account. */
export async function recheckAllZonesBelow(tx: Db, name: string): Promise<void> {
  await judgeAllBelow(tx, { below: `%.${name}` });
}

const judgeAllBelow = statement<{ below: string }>(`
  update zones set check_due = 1 where name like :below and ${isJudged}`);

const vanityZones = `
  select id, vanity_name_servers from zones where account_id = :accountId and vanity_name_servers <> '[]'`;

type VanityZone = Pick<ZoneRow, "id" | "vanity_name_servers">;

export const selectVanityZones = statement<{ accountId: string }, VanityZone>(vanityZones);

/** The zones that `recheckZonesNamed` judges, with null as their name servers, and those of `selectVanityZones`. */
export const selectDependents = statement<
  { accountId: string; name: string },
  Pick<VanityZone, "id"> & { readonly vanity_name_servers: VanityZone["vanity_name_servers"] | null }
>(`
  select id, null as vanity_name_servers from zones
  where name = :name and account_id <> :accountId and ${isJudged}
  union all ${vanityZones}`);

export async function recheckZones(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.updateTable("zones").set({ check_due: 1 }).where("id", "in", ids).execute();
}

/** The addresses that the records of a name have; none where they are proxied. */
export async function selectAddressesAt(db: Db, zoneId: string, name: string): Promise<string[]> {
  const rows = await db
    .selectFrom("dns_records")
    .select("record")
    .where("zone_id", "=", zoneId)
    .where("name", "=", name)
    .where("type", "in", ["A", "AAAA"])
    .where(isShown("dns_records", zoneId))
    .execute();
  return rows.flatMap(({ record }) => {
    const { content, proxied } = JSON.parse(record) as {
      readonly content: string;
      readonly proxied?: boolean;
    };
    return proxied === true ? [] : [content];
  });
}
