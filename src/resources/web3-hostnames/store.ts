import type { Db } from "../../storage/tables.ts";
import type { Web3HostnameRow } from "../../storage/tables/web3.ts";

/** Read whole: the quota of the plan bounds them. */
export async function selectWeb3Hostnames(db: Db, zoneId: string): Promise<Web3HostnameRow[]> {
  return db.selectFrom("web3_hostnames").selectAll().where("zone_id", "=", zoneId).orderBy("name").execute();
}
