import { sql, type SqlBool } from "kysely";

import { fromJson } from "../../storage/columns.ts";
import type { Json } from "../../storage/schema/table.ts";
import { isAmong, type ChangedZones } from "../../storage/changes.ts";
import { statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type {
  DnsChangeRow,
  DnsRecordRow,
  ZoneDnsSettingsRow,
  ZoneDnssecRow,
} from "../../storage/schema/dns.ts";
import type { IncomingTransferRow } from "../../storage/schema/zone-transfers.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { isShown, isShownOfZones } from "../../storage/shown-records.ts";

type NamedRecord = Pick<DnsRecordRow, "name" | "record">;

/** The stored columns of how a zone is signed. */
export type SignedWith = Pick<
  ZoneDnssecRow,
  | "zone_id"
  | "status"
  | "key_signing_key"
  | "key_signing_public_key"
  | "zone_signing_key"
  | "zone_signing_public_key"
  | "multi_signer"
  | "presigned"
  | "use_nsec3"
  | "signed_day"
>;

/** A zone, and what else says how it is answered, at the same moment. */
interface ServedRow {
  readonly zone: ZoneRow;
  /** Null for a zone that changed none. */
  readonly dnsSettings: ZoneDnsSettingsRow["changed_settings"] | null;
  /** The values of these settings; undefined where they were not changed. */
  readonly flattening: unknown;
  readonly ipv6: unknown;
  /** Whether its account lets no name be proxied. */
  readonly isDnsOnly: boolean;
  /** Undefined for a zone that is not signed. */
  readonly signedWith: SignedWith | undefined;
  /** Whether peers may transfer it. */
  readonly isTransferred: boolean;
  /** The SOA record with which the zone was transferred; null for one that is not transferred to us. */
  readonly transferred: IncomingTransferRow["soa"];
  /** False for one that is to be transferred to us and has not been, or has expired. */
  readonly isAvailable: boolean;
}

/** Active zones that are part of the public DNS, if they are among these; all of them without. */
export async function selectServedZones(db: Db, among: ChangedZones | undefined): Promise<ServedRow[]> {
  const rows = await db
    .selectFrom("zones")
    .leftJoin("zone_dnssec as signed", "signed.zone_id", "zones.id")
    .leftJoin("incoming_transfers as incoming", (join) =>
      join.onRef("incoming.zone_id", "=", "zones.id").on("zones.type", "=", "secondary"),
    )
    .leftJoin("outgoing_transfers as outgoing", "outgoing.zone_id", "zones.id")
    .leftJoin("zone_dns_settings as dns", "dns.zone_id", "zones.id")
    .leftJoin("account_dns_settings as account_dns", "account_dns.account_id", "zones.account_id")
    .leftJoin("zone_settings as flattening", (join) =>
      join.onRef("flattening.zone_id", "=", "zones.id").on("flattening.setting", "=", "cname_flattening"),
    )
    .leftJoin("zone_settings as ipv6", (join) =>
      join.onRef("ipv6.zone_id", "=", "zones.id").on("ipv6.setting", "=", "ipv6"),
    )
    .selectAll("zones")
    .select([
      "signed.zone_id",
      "signed.status as signed_status",
      "signed.key_signing_key",
      "signed.key_signing_public_key",
      "signed.zone_signing_key",
      "signed.zone_signing_public_key",
      "signed.multi_signer",
      "signed.presigned",
      "signed.use_nsec3",
      "signed.signed_day",
      "incoming.zone_id as incoming_zone_id",
      "incoming.soa as transferred",
      "outgoing.enabled as outgoing_enabled",
      "dns.changed_settings",
      "account_dns.enforce_dns_only",
      "flattening.value as flattening",
      "ipv6.value as ipv6",
    ])
    .where("zones.status", "=", "active")
    .where("zones.type", "<>", "internal")
    .where(isAmong(among))
    .execute();
  return rows.map((zone) => {
    const { zone_id, signed_status: status, changed_settings: dnsSettings, transferred } = zone;
    const isDnsOnly = zone.enforce_dns_only === 1;
    const valueOf = (value: Json<unknown> | null): unknown => (value === null ? undefined : fromJson(value));
    // Where there is a row, it has all but the two that may be null.
    return {
      zone,
      dnsSettings,
      flattening: valueOf(zone.flattening),
      ipv6: valueOf(zone.ipv6),
      isDnsOnly,
      signedWith: zone_id === null ? undefined : ({ ...zone, status } as SignedWith),
      isTransferred: zone.outgoing_enabled === 1,
      transferred,
      isAvailable: zone.incoming_zone_id === null || transferred !== null,
    };
  });
}

/** The changes of a zone's records after one version and up to another. */
export const selectDnsChanges = statement<
  { zoneId: string; after: number; upTo: number },
  Pick<DnsChangeRow, "version" | "names">
>(`
  select version, names from dns_changes
  where zone_id = :zoneId and version > :after and version <= :upTo order by version`);

/** The latest changes of a zone's records up to a version, the last first. */
export const selectJournal = statement<{ zoneId: string; upTo: number }, DnsChangeRow>(`
  select * from dns_changes where zone_id = :zoneId and version <= :upTo order by version desc`);

/** The records of a zone at these names, each row with the version of its records; a row without a record for none. */
export async function selectRecordsAt(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<{ readonly version: number; readonly record: DnsRecordRow["record"] | null }[]> {
  return db
    .selectFrom("zones")
    .leftJoin("dns_records", (join) =>
      join
        .onRef("dns_records.zone_id", "=", "zones.id")
        .on(isShownOfZones("dns_records"))
        .on("dns_records.name", "in", names),
    )
    .select(["zones.dns_records_version as version", "dns_records.record"])
    .where("zones.id", "=", zoneId)
    .execute();
}

export async function selectDelegations(db: Db, zoneId: string): Promise<NamedRecord[]> {
  return db
    .selectFrom("dns_records")
    .select(["name", "record"])
    .where("zone_id", "=", zoneId)
    .where("type", "=", "NS")
    .where(isShown("dns_records", zoneId))
    .execute();
}

/** The position of a record in the order of names. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

export async function selectRecordsAfter(
  db: Db,
  zoneId: string,
  { name, id }: NamePosition,
  limit: number,
): Promise<(NamedRecord & Pick<DnsRecordRow, "id">)[]> {
  return db
    .selectFrom("dns_records")
    .select(["id", "name", "record"])
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where(sql<SqlBool>`(name, id) > (${name}, ${id})`)
    .orderBy("name")
    .orderBy("id")
    .limit(limit)
    .execute();
}
