import type { ListContents } from "../../core/lists/contents.ts";
import type { UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { ChangedZones } from "../../storage/changes.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { Context } from "../../operation/context.ts";
import { readAccountAccessRules } from "../access-rules/access-rules.ts";
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
  /** `dns_records_version` of the zone. */
  readonly recordsVersion: number;
}

/** A zone that edges serve, with its version. */
export interface VersionedZone extends EdgeVersion {
  readonly zone: ZoneRow;
}

interface EdgeVersion {
  /** Another one after every change of what the zone has for itself, but for its records. */
  readonly ownVersion: string;
  /** Another one after every change of what its account has for all of its zones. */
  readonly accountVersion: number;
}

/** The active zones among these; all of them without. */
export async function listEdgeZones(db: Db, among: ChangedZones | undefined): Promise<ListedZone[]> {
  const rows = await selectEdgeVersions(db, among);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    recordsVersion: row.dns_records_version,
    ownVersion: [row.facts_version, row.settings_version, row.rules_version, row.certificates_version].join(),
    accountVersion: row.account_rules_version ?? 0,
  }));
}

/** A listed zone as it is now, with the versions that were listed; undefined if it is no longer active. */
export async function findEdgeZone(
  db: Db,
  { id, ownVersion, accountVersion }: ListedZone,
): Promise<VersionedZone | undefined> {
  const zone = await selectEdgeZone(db, id);
  return zone && { zone, ownVersion, accountVersion };
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
export interface StoredEdgeAccount extends AccountRulesets, Pick<StoredRules, "lists"> {
  /** Its access rules as text, by which changes of them show: each zone has them among its own rules. */
  readonly accessRules: string;
}

/** Reads a list by `contentsOf`, all else from `db`. Throws what these throw. */
export async function readEdgeAccount(
  db: Db,
  accountId: string,
  contentsOf: (list: ReferredList) => Promise<ListContents>,
): Promise<StoredEdgeAccount> {
  const rulesets = await readAccountRulesets(db, accountId);
  const lists = new Map<string, ListContents>();
  for (const list of await selectListsInUse(db, accountId)) lists.set(list.name, await contentsOf(list));
  return { ...rulesets, lists, accessRules: await readAccountAccessRules(db, accountId) };
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
