import type { RequestSource } from "../../core/firewall-products/access-rule.ts";
import type {
  AccountDocument,
  SealedCertificate,
  ZoneDocument,
  DocumentPart,
  ZoneRules,
} from "../../core/documents/zone-document.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { readAccessRulesOfAccount, readAccessRulesOfZones } from "../access-rules/access-rules.ts";
import { readPackCertificates } from "../certificate-packs/certificate-packs.ts";
import { readCustomCertificates } from "../custom-certificates/custom-certificates.ts";
import { readFirewallRules } from "../firewall-rules/firewall-rules.ts";
import { selectListsInUse } from "../lists/lists.ts";
import { readManagedTransforms } from "../managed-transforms/managed-transforms.ts";
import { readPageRules } from "../page-rules/page-rules.ts";
import { readPreviousWafChoices } from "../previous-waf/previous-waf.ts";
import { readAccountRulesets, readEntryPoints } from "../rulesets/rulesets.ts";
import { readUrlNormalizations } from "../url-normalization/url-normalization.ts";
import { readUserAgentRules } from "../user-agent-rules/user-agent-rules.ts";
import { readZoneLockdowns } from "../zone-lockdowns/zone-lockdowns.ts";
import { readChangedSettings } from "../zone-settings/zone-settings.ts";
import { readZoneFacts } from "../zones/zones.ts";
import {
  selectAccountVersions,
  selectActiveZones,
  selectActiveZonesAfter,
  selectZoneVersions,
} from "./store.ts";

/** An active zone, as the index of the planes knows it. */
export interface NamedZone {
  readonly id: string;
  /** ASCII, lower case. */
  readonly name: string;
  readonly accountId: string;
}

/** An active zone, with versions that tell whether it has changed. */
export interface ListedZone extends NamedZone {
  readonly isSecondary: boolean;
  /** A part has another one after every change of it. */
  readonly versions: Readonly<Partial<Record<DocumentPart, number>>>;
  /** `dns_records_version` of the zone. */
  readonly recordsVersion: number;
  /** The names that the change to that version listed; undefined where that is not known. */
  readonly lastChangedNames?: readonly string[] | undefined;
}

/** The next active zones after an id, in the order of ids. */
export async function listActiveZonesAfter(db: Db, after: string, limit: number): Promise<NamedZone[]> {
  return (await selectActiveZonesAfter(db, { after, limit })).map(toNamedZone);
}

/** The active zones among these. */
export async function listActiveZones(db: Db, ids: readonly string[]): Promise<NamedZone[]> {
  const found: NamedZone[] = [];
  for (let from = 0; from < ids.length; from += zonesAtOnce)
    found.push(...(await selectActiveZones(db, ids.slice(from, from + zonesAtOnce))).map(toNamedZone));
  return found;
}

function toNamedZone({
  id,
  name,
  account_id,
}: Awaited<ReturnType<typeof selectActiveZones>>[number]): NamedZone {
  return { id, name, accountId: account_id };
}

/** The active zones among these, with their versions. */
export async function listZones(db: Db, ids: readonly string[]): Promise<ListedZone[]> {
  const found: ListedZone[] = [];
  for (let from = 0; from < ids.length; from += zonesAtOnce) {
    for (const row of await selectZoneVersions(db, ids.slice(from, from + zonesAtOnce))) {
      found.push({
        ...toNamedZone(row),
        isSecondary: row.type === "secondary",
        versions: {
          facts: row.facts_version ?? 0,
          settings: row.settings_version ?? 0,
          rules: row.rules_version ?? 0,
          certificates: row.certificates_version ?? 0,
        },
        recordsVersion: row.dns_records_version,
        lastChangedNames: row.last_changed_names === null ? undefined : fromJson(row.last_changed_names),
      });
    }
  }
  return found;
}

/** The versions of what accounts have for all of their zones, by their ids. */
export async function listAccounts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  for (let from = 0; from < ids.length; from += zonesAtOnce)
    for (const row of await selectAccountVersions(db, ids.slice(from, from + zonesAtOnce)))
      versions.set(row.id, String(row.rules_version ?? 0));
  return versions;
}

/** Zones that are read by one statement each for what they have. */
const zonesAtOnce = 500;

/**
 * The parts of these zones, by their ids; of those that exist. Takes as many statements for many zones as for
 * one. With `sources`, the access rules are those about them.
 */
export async function readZoneDocuments<Part extends DocumentPart>(
  db: Db,
  zoneIds: readonly string[],
  parts: readonly Part[],
  sources?: readonly RequestSource[],
): Promise<ReadonlyMap<string, Pick<ZoneDocument, Part>>> {
  const documents = new Map<string, Pick<ZoneDocument, Part>>();
  for (let from = 0; from < zoneIds.length; from += zonesAtOnce) {
    const ids = zoneIds.slice(from, from + zonesAtOnce);
    const wanted = new Set<DocumentPart>(parts);
    const facts = new Map((await readZoneFacts(db, ids)).map((one) => [one.id, one]));
    const settingsOf = wanted.has("settings") ? await readChangedSettings(db, ids) : undefined;
    const rulesOf = wanted.has("rules") ? await readZoneRules(db, ids, sources) : undefined;
    const certificatesOf = wanted.has("certificates") ? await readCertificates(db, ids) : undefined;
    for (const [id, ofZone] of facts) {
      const all = {
        facts: ofZone,
        settings: settingsOf?.(id),
        rules: rulesOf?.(id),
        certificates: certificatesOf?.(id),
      };
      const read = Object.entries(all).filter(([part]) => wanted.has(part as DocumentPart));
      documents.set(id, Object.fromEntries(read) as unknown as Pick<ZoneDocument, Part>);
    }
  }
  return documents;
}

async function readZoneRules(
  db: Db,
  ids: readonly string[],
  sources: readonly RequestSource[] | undefined,
): Promise<(zoneId: string) => ZoneRules> {
  const entryPoints = await readEntryPoints(db, ids);
  const firewallRules = await readFirewallRules(db, ids);
  const accessRules = await readAccessRulesOfZones(db, ids, sources);
  const lockdowns = await readZoneLockdowns(db, ids);
  const userAgentRules = await readUserAgentRules(db, ids);
  const pageRules = await readPageRules(db, ids);
  const managedTransforms = await readManagedTransforms(db, ids);
  const urlNormalization = await readUrlNormalizations(db, ids);
  const previousWaf = await readPreviousWafChoices(db, ids);
  return (id) => ({
    entryPoints: entryPoints(id),
    firewallRules: firewallRules(id),
    accessRules: accessRules(id),
    lockdowns: lockdowns(id),
    userAgentRules: userAgentRules(id),
    pageRules: pageRules(id),
    managedTransforms: managedTransforms(id),
    urlNormalization: urlNormalization(id),
    previousWaf: previousWaf(id),
  });
}

/** Customs by their priority, then packs. */
const ranks = { custom: 1_000, advanced: 2, total_tls: 1, universal: 0 } as const;

async function readCertificates(
  db: Db,
  ids: readonly string[],
): Promise<(zoneId: string) => SealedCertificate[]> {
  const customs = await readCustomCertificates(db, ids);
  const packs = await readPackCertificates(db, ids);
  return (id) => [
    ...customs(id).map(({ hosts, priority, chains }) => ({ hosts, rank: ranks.custom + priority, chains })),
    ...packs(id).map(({ hosts, type, chains }) => ({ hosts, rank: ranks[type], chains })),
  ];
}

/** With `sources`, the access rules are those about them. */
export async function readAccountDocument(
  db: Db,
  id: string,
  sources?: readonly RequestSource[],
): Promise<AccountDocument> {
  return {
    id,
    ...(await readAccountRulesets(db, id)),
    accessRules: await readAccessRulesOfAccount(db, id, sources),
    lists: await selectListsInUse(db, id),
  };
}
