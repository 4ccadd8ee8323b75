import { errorCodes } from "../../core/error-codes.ts";
import { visibleZones } from "../../core/policy/visibility.ts";
import {
  collectionList,
  type CollectionRead,
  zoneRead,
  zoneWrite,
  type ZoneRead,
  type ZoneWrite,
} from "../../operation/scope.ts";
import { newZoneWrite, type NewZoneWrite } from "../../operation/new-zone.ts";
import { IdOnly } from "../../operation/schema.ts";
import { findAccountForReference } from "../accounts/accounts.ts";
import { askForActivation, settleActivation } from "./activation.ts";
import { findZoneWithAccount } from "./find-zones.ts";
import { waitsFor } from "./obstacles.ts";
import { recheckBelow } from "./name-changes.ts";
import {
  CreateZoneBody,
  EditZoneBody,
  ListZonesQuery,
  Zone,
  ZoneActivation,
  SubdomainConsent,
  SubdomainConsentBody,
  SubdomainConsents,
} from "./schema.ts";
import { selectZones } from "./store.ts";
import { zoneView } from "./zone.ts";
import { addZone, applyChange, parseZoneFilter, type ZoneContext } from "./zones.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { isWithin, parseZoneName } from "../../core/dns/content/name.ts";
import { aboveQuota, invalidBody, invalidRequest, notFound } from "../../core/error.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { StoredConsent, ZoneRow } from "../../storage/schema/zones.ts";
import { recheckZonesNamed } from "./names-store.ts";

/** Errors: 400 code 1003 for an unknown type. */
export const listZones = collectionList({
  name: "listZones",
  summary: "List, search and sort zones",
  path: "/zones",
  permission: "listed",
  query: ListZonesQuery,
  result: Zone,
  list: { orderings: ["name", "status", "account.id", "account.name", "plan.id"], perPageMax: 1_000 },
  run: async ({ db, caller, context, now }: CollectionRead<ZoneContext>, { query, page }) => {
    const visible = visibleZones(caller.grants);
    const { items, totalCount } = await selectZones(db, visible, parseZoneFilter(query), page);
    return { items: items.map(zoneView(caller, context.settings, now)), totalCount };
  },
});

/**
 * In the given account, or the caller's first. Errors: as `addZone`, and 404 code 1001 for an unknown
 * account.
 */
export const createZone = newZoneWrite({
  name: "createZone",
  summary: "Create a zone",
  path: "/zones",
  permission: "Zone Write",
  accountOf: ({ accountIds }, { account, organization }) => account?.id || organization?.id || accountIds[0],
  body: CreateZoneBody,
  result: Zone,
  run: async ({ tx, accountId, caller, context, now, audit }: NewZoneWrite<ZoneContext>, { body }) => {
    const account = await findAccountForReference(tx, accountId);
    const row = await addZone(context, tx, {
      name: body.name,
      type: body.type ?? "full",
      accountId,
      paused: body.paused ?? false,
      vanityNameServers: body.vanity_name_servers ?? [],
    });
    const after = zoneView(caller, context.settings, now)({ ...row, account_name: account.name });
    audit({ action: "zone_add", owner: { zone: row }, id: row.id, after });
    return after;
  },
});

export const getZone = zoneRead({
  name: "getZone",
  summary: "Get a zone",
  path: "/zones/{zone_id}",
  permission: "visible",
  result: Zone,
  run: async ({ db, zone, caller, context, now }: ZoneRead<ZoneContext>) =>
    zoneView(caller, context.settings, now)(await findZoneWithAccount(db, zone.id)),
});

/** Errors: 400 code 1085 for more than one property, 1088 for an unknown plan. */
export const editZone = zoneWrite({
  name: "editZone",
  summary: "Change one property of a zone",
  method: "PATCH",
  path: "/zones/{zone_id}",
  permission: "Zone Write",
  body: EditZoneBody,
  result: Zone,
  run: async ({ tx, zone, caller, context, now, audit }: ZoneWrite<ZoneContext>, { body }) => {
    const show = zoneView(caller, context.settings, now);
    const row = await findZoneWithAccount(tx, zone.id);
    const changed = await applyChange(context, tx, row, body);
    if (changed === row) return show(row);
    const [before, after] = [show(row), show(changed)];
    audit({ action: "zone_edit", id: zone.id, before, after });
    return after;
  },
});

export const deleteZone = zoneWrite({
  name: "deleteZone",
  summary: "Delete a zone and everything in it",
  method: "DELETE",
  path: "/zones/{zone_id}",
  permission: "Zone Write",
  result: IdOnly,
  run: async ({ tx, zone: { id }, caller, context, now, audit }: ZoneWrite<ZoneContext>) => {
    const row = await findZoneWithAccount(tx, id);
    if (row.status === "active") await recheckBelow(tx, row);
    await deleteRow(tx, "zones", id);
    audit({
      action: "zone_delete",
      id,
      before: zoneView(caller, context.settings, now)(row),
      metadata: { dns_records: row.dns_record_count },
    });
    return { id };
  },
});

/** Says what the zone waits for, as an activation check would find it. */
export const getActivation = zoneRead({
  name: "getActivation",
  summary: "Say what a zone waits for before it is served",
  path: "/zones/{zone_id}/activation_check",
  permission: "Zone Read",
  result: ZoneActivation,
  run: async ({ db, zone, context }: ZoneRead<ZoneContext>) => ({
    id: zone.id,
    status: zone.status,
    waits_for: (await waitsFor(context, db, zone)) ?? null,
  }),
});

/**
 * `activation=immediate` activates the zone, where nothing of another account stands in its way; `check-ns`
 * looks up its delegation first. A message says what the zone's status is then, as flarectl expects one.
 */
export const checkActivation = zoneWrite({
  name: "checkActivation",
  summary: "Check now whether a zone can become active",
  method: "PUT",
  path: "/zones/{zone_id}/activation_check",
  permission: "Zone Write",
  result: IdOnly,
  prepare: ({ context, zone, now }: ZoneRead<ZoneContext>) => askForActivation(context, zone, now),
  run: async (work: ZoneWrite<ZoneContext>, { prepared }) => {
    const { status, obstacle } = await settleActivation(work, prepared);
    const message = obstacle === undefined ? `The zone is ${status}` : `The zone is ${status}: ${obstacle}`;
    work.addMessage({ code: errorCodes.zones.activationChecked, message });
    return { id: work.zone.id };
  },
});

const consentsPath = "/zones/{zone_id}/subdomain_consents";
const consentsMax = 100;

export const listSubdomainConsents = zoneRead({
  name: "listSubdomainConsents",
  summary: "List the accounts that may have zones below a zone",
  path: consentsPath,
  permission: "Zone Read",
  result: SubdomainConsents,
  run: async ({ zone }) => consentsOf(zone).map(toConsent),
});

/**
 * The other account's zone of that name can then become active, and is served. Where a name has consents,
 * they alone decide, and no longer its NS records. Errors: 400 code 1003 for a name that is not below the
 * zone's, or the zone's own account; 1201 for the same consent again, 1202 for too many.
 */
export const createSubdomainConsent = zoneWrite({
  name: "createSubdomainConsent",
  summary: "Let another account have a zone below a zone",
  method: "POST",
  path: consentsPath,
  permission: "Zone Write",
  body: SubdomainConsentBody,
  result: SubdomainConsent,
  run: async (work: ZoneWrite, { body }) => {
    const { zone, context, now, audit } = work;
    const name = parseZoneName(body.name);
    if (name === undefined || name === zone.name || !isWithin(name, zone.name))
      throw invalidBody("/name", `must be a name below ${zone.name}`);
    const account_id = body.account.id;
    if (account_id === zone.account_id) throw invalidBody("/account/id", "must be another account");
    const consents = consentsOf(zone);
    if (consents.some((one) => one.name === name && one.account_id === account_id)) {
      const message = `The account may have a zone ${name} already`;
      throw invalidRequest(errorCodes.subdomainConsents.exists, message, "/name");
    }
    if (consents.length >= consentsMax)
      throw aboveQuota(errorCodes.subdomainConsents.quotaReached, consentsMax, "consents");
    const added = { id: context.newId(), name, account_id, created_on: toTimestamp(now) };
    await changeConsents(work, [...consents, added], name);
    const after = toConsent(added);
    audit({ action: "subdomain_consent_add", id: added.id, after });
    return after;
  },
});

/** Ends the serving of the other account's zone, unless NS records delegate to it. Errors: 404 code 1200. */
export const deleteSubdomainConsent = zoneWrite({
  name: "deleteSubdomainConsent",
  summary: "Let another account have a zone below a zone no longer",
  method: "DELETE",
  path: `${consentsPath}/{consent_id}`,
  permission: "Zone Write",
  result: IdOnly,
  run: async (work: ZoneWrite, { params }) => {
    const consents = consentsOf(work.zone);
    const revoked = consents.find(({ id }) => id === params.consent_id);
    if (revoked === undefined)
      throw notFound(errorCodes.subdomainConsents.unknown, "There is no such consent");
    await changeConsents(
      work,
      consents.filter((one) => one !== revoked),
      revoked.name,
    );
    work.audit({ action: "subdomain_consent_delete", id: revoked.id, before: toConsent(revoked) });
    return { id: revoked.id };
  },
});

async function changeConsents(
  { tx, zone }: { readonly tx: Db; readonly zone: ZoneRow },
  consents: readonly StoredConsent[],
  name: string,
): Promise<void> {
  await updateRow(tx, "zones", zone.id, { subdomain_consents: toJson([...consents]) });
  await recheckZonesNamed(tx, zone.account_id, [name]);
}

function consentsOf({ subdomain_consents }: ZoneRow): StoredConsent[] {
  return subdomain_consents === null ? [] : fromJson(subdomain_consents);
}

function toConsent({ id, name, account_id, created_on }: StoredConsent): SubdomainConsent {
  return { id, name, account: { id: account_id }, created_on };
}
