import type { ListContents } from "../../core/lists/contents.ts";
import type { UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
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
import { selectEdgeZones } from "./store.ts";

/** A zone that edges serve, with a version that grows with every change that concerns them. */
export interface VersionedZone {
  readonly zone: ZoneRow;
  readonly version: number;
  /** How many of these changes were of what the account has for all of its zones. */
  readonly accountVersion: number;
}

/** What counts the changes of a zone itself. */
export const ownVersion = ({ version, accountVersion }: VersionedZone): number => version - accountVersion;

/** Whether two versions of a zone have the same name and records. */
export function hasSameRecords(one: VersionedZone, other: VersionedZone): boolean {
  return one.zone.dns_records_version === other.zone.dns_records_version && one.zone.name === other.zone.name;
}

/** The active zones among `ids`; all of them without. */
export async function findEdgeZones(db: Db, ids: readonly string[] | undefined): Promise<VersionedZone[]> {
  const rows = await selectEdgeZones(db, ids);
  return rows.map(({ edge_version, account_version, ...zone }) => ({
    zone,
    version: edge_version ?? 0,
    accountVersion: account_version ?? 0,
  }));
}

/** A certificate with its key, as it is stored. */
export interface StoredCertificate {
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
      ...customs.map(({ hosts, priority, open }) => ({ hosts, open, rank: ranks.custom + priority })),
      ...packs.map(({ hosts, type, open }) => ({ hosts, open, rank: ranks[type] })),
    ],
  };
}
