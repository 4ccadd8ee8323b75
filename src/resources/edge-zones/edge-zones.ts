import type { ListContents } from "../../core/lists/contents.ts";
import type { UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { Context } from "../../operation/context.ts";
import { readPackCertificates } from "../certificate-packs/certificate-packs.ts";
import { readCustomCertificates } from "../custom-certificates/custom-certificates.ts";
import {
  readAccountRulesets,
  readZoneRules,
  type AccountRulesets,
  type StoredRules,
  type ZoneRules,
} from "../rulesets/rulesets.ts";
import { selectListsInUse, type ReferredList } from "../lists/lists.ts";
import { readUrlNormalization } from "../url-normalization/url-normalization.ts";
import { readPreviousWaf } from "../waf-migration/waf-migration.ts";
import { readSettings } from "../zone-settings/zone-settings.ts";
import { selectEdgeVersions, selectEdgeZone } from "./store.ts";

/** What tells whether a zone that edges serve has changed. */
export interface ListedZone extends EdgeVersion {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly dns_records_version: number;
}

/** A zone that edges serve, with its version. */
export interface VersionedZone extends EdgeVersion {
  readonly zone: ZoneRow;
}

interface EdgeVersion {
  /** Grows with every change that concerns edges. */
  readonly version: number;
  /** How many of these changes were of what the account has for all of its zones. */
  readonly accountVersion: number;
}

/** What counts the changes of a zone itself. */
export const ownVersion = ({ version, accountVersion }: EdgeVersion): number => version - accountVersion;

/** Whether a zone has the name and the records of a row that was read later. */
export function hasSameRecords(
  { zone }: VersionedZone,
  { name, dns_records_version }: Pick<ZoneRow, "name" | "dns_records_version">,
): boolean {
  return zone.dns_records_version === dns_records_version && zone.name === name;
}

/** The active zones among `ids`; all of them without. */
export async function listEdgeZones(db: Db, ids: readonly string[] | undefined): Promise<ListedZone[]> {
  const rows = await selectEdgeVersions(db, ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    dns_records_version: row.dns_records_version,
    version: row.version ?? 0,
    accountVersion: row.account_version ?? 0,
  }));
}

/** A listed zone as it is now, with the version that was listed; undefined if it is no longer active. */
export async function findEdgeZone(db: Db, listed: ListedZone): Promise<VersionedZone | undefined> {
  const zone = await selectEdgeZone(db, listed.id);
  return zone && { zone, version: listed.version, accountVersion: listed.accountVersion };
}

/** A certificate with its key, as it is stored. */
export interface StoredCertificate {
  /** Another one where the certificate or its key is another one. */
  readonly id: string;
  readonly hosts: readonly string[];
  /**
   * Of several certificates for a host, the one with the highest rank is used: first custom certificates,
   * then advanced packs.
   */
  readonly rank: number;
  readonly open: () => { readonly chains: readonly string[]; readonly privateKeys: readonly string[] };
}

/** What the zones of an account have in common: its rulesets, and the lists that any rule names. */
export type StoredEdgeAccount = AccountRulesets & Pick<StoredRules, "lists">;

/** Reads a list by `contentsOf`, all else from `db`. Throws what these throw. */
export async function readEdgeAccount(
  db: Db,
  accountId: string,
  contentsOf: (list: ReferredList) => Promise<ListContents>,
): Promise<StoredEdgeAccount> {
  const rulesets = await readAccountRulesets(db, accountId);
  const lists = new Map<string, ListContents>();
  for (const list of await selectListsInUse(db, accountId)) lists.set(list.name, await contentsOf(list));
  return { ...rulesets, lists };
}

/** The data of a zone that an edge compiles, without its records and its account. */
export interface StoredEdgeZone {
  /** The value of a setting. */
  readonly setting: (name: string) => unknown;
  readonly urlNormalization: UrlNormalization;
  readonly rules: ZoneRules;
  /** Undefined after a migration. */
  readonly previous: PreviousWaf | undefined;
  readonly certificates: readonly StoredCertificate[];
}

interface EdgeContext extends Pick<Context, "now"> {
  readonly secretBox: SecretBox;
}

/** Customs by their priority, then packs. */
const ranks = { custom: 1_000, advanced: 2, total_tls: 1, universal: 0 } as const;

/** Reads all of it from `db`. Throws what that throws. */
export async function readEdgeZone(
  db: Db,
  { now, secretBox }: EdgeContext,
  zone: ZoneRow,
): Promise<StoredEdgeZone> {
  const time = now();
  const customs = await readCustomCertificates(db, secretBox, zone, toTimestamp(time));
  const packs = await readPackCertificates(db, secretBox, zone, toTimestamp(time));
  const setting = await readSettings(db, zone, time);
  return {
    setting,
    urlNormalization: await readUrlNormalization(db, zone),
    rules: await readZoneRules(db, zone, setting),
    previous: zone.waf === "new" ? undefined : await readPreviousWaf(db, zone),
    certificates: [
      ...customs.map(({ id, hosts, priority, open }) => ({ id, hosts, open, rank: ranks.custom + priority })),
      ...packs.map(({ id, hosts, type, open }) => ({ id, hosts, open, rank: ranks[type] })),
    ],
  };
}
