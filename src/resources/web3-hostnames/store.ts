import type { Db, Web3HostnameRow } from "../../storage/tables.ts";

export async function insertWeb3Hostname(db: Db, row: Web3HostnameRow): Promise<void> {
  await db.insertInto("web3_hostnames").values(row).execute();
}

export async function updateWeb3Hostname(
  db: Db,
  id: string,
  change: Partial<Web3HostnameRow>,
): Promise<void> {
  await db.updateTable("web3_hostnames").set(change).where("id", "=", id).execute();
}

export async function deleteWeb3HostnameRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("web3_hostnames").where("id", "=", id).execute();
}

export async function selectWeb3Hostname(
  db: Db,
  zoneId: string,
  id: string,
): Promise<Web3HostnameRow | undefined> {
  return db
    .selectFrom("web3_hostnames")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Few enough to be read whole: the plan's quota bounds them. */
export async function selectWeb3Hostnames(db: Db, zoneId: string): Promise<Web3HostnameRow[]> {
  return db.selectFrom("web3_hostnames").selectAll().where("zone_id", "=", zoneId).orderBy("name").execute();
}
