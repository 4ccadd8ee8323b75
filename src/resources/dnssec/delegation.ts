import { recordData } from "../../core/dns/wire/record-data.ts";
import { isSignerOf } from "../../core/dns/dnssec/keys.ts";
import { parentOf } from "../../core/dns/wire/names.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneDnssecRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Rdata } from "../../core/dns/record-types.ts";
import type { ZoneContext } from "../zones/zones.ts";
import { sha256 } from "./p256.ts";
import { selectSignersOf } from "./store.ts";

/** The data of the DS records of a zone at its parent; undefined if they cannot be looked up. */
export async function findSigners(
  { settings, delegation }: ZoneContext,
  db: Db,
  zone: ZoneRow,
): Promise<readonly string[] | undefined> {
  const parents: string[] = [];
  for (let at = parentOf(zone.name); at !== undefined; at = parentOf(at)) parents.push(at);
  const here =
    parents.length > 0 ? await selectSignersOf(db, zone.account_id, zone.name, parents) : undefined;
  if (here !== undefined) return here.map((record) => recordData("DS", JSON.parse(record) as Rdata));
  return settings.activation === "check-ns" ? delegation.signers(zone.name) : undefined;
}

/** The status of a zone with these keys whose parent has these DS records; unchanged if they are unknown. */
export function statusAfter(
  zone: ZoneRow,
  row: Pick<ZoneDnssecRow, "status" | "multi_signer">,
  entryPoints: readonly string[],
  signers: readonly string[] | undefined,
): ZoneDnssecRow["status"] {
  if (signers === undefined) return row.status;
  if (row.status === "disabled" || row.status === "pending-disabled") {
    return signers.length === 0 ? "disabled" : "pending-disabled";
  }
  const isOurs = (ds: string): boolean =>
    entryPoints.some((dnskey) => isSignerOf(ds, zone.name, dnskey, sha256));
  if (signers.some(isOurs)) return "active";
  const isUnknown = signers.length === 0 || entryPoints.length === 0 || row.multi_signer === 1;
  return isUnknown ? "pending" : "error";
}
