import { isWithin, parseZoneName } from "../../core/dns/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { aboveQuota, invalidBody, invalidRequest, notFound } from "../../core/error.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/zone.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import { updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { StoredConsent, ZoneRow } from "../../storage/schema/zones.ts";
import { judgeZonesNamed } from "./names-store.ts";
import { SubdomainConsent, SubdomainConsentBody, SubdomainConsents } from "./schema.ts";

const path = "/zones/{zone_id}/subdomain_consents";
const consentsMax = 100;

export const listSubdomainConsents = zoneRead({
  name: "listSubdomainConsents",
  summary: "List the accounts that may have zones below a zone",
  path,
  permission: "Zone Read",
  result: SubdomainConsents,
  run: async ({ zone }) => consentsOf(zone).map(toConsent),
});

/**
 * The other account's zone of that name can then become active, and is served. Where a name has consents, they alone decide, and
 * no longer its NS records. Errors: 400 code 1003 for a name that is not below the zone's, or the zone's own account; 1201 for
 * the same consent again, 1202 for too many.
 */
export const createSubdomainConsent = zoneWrite({
  name: "createSubdomainConsent",
  summary: "Let another account have a zone below a zone",
  method: "POST",
  path,
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
    await change(work, [...consents, added], name);
    const after = toConsent(added);
    audit({ action: "subdomain_consent_add", id: added.id, after });
    return after;
  },
});

/** What is served of the other account's zone is no longer, unless NS records delegate to it. Errors: 404 code 1200. */
export const deleteSubdomainConsent = zoneWrite({
  name: "deleteSubdomainConsent",
  summary: "Let another account have a zone below a zone no longer",
  method: "DELETE",
  path: `${path}/{consent_id}`,
  permission: "Zone Write",
  result: IdOnly,
  run: async (work: ZoneWrite, { params }) => {
    const consents = consentsOf(work.zone);
    const revoked = consents.find(({ id }) => id === params.consent_id);
    if (revoked === undefined)
      throw notFound(errorCodes.subdomainConsents.unknown, "There is no such consent");
    await change(
      work,
      consents.filter((one) => one !== revoked),
      revoked.name,
    );
    work.audit({ action: "subdomain_consent_delete", id: revoked.id, before: toConsent(revoked) });
    return { id: revoked.id };
  },
});

async function change(
  { tx, zone }: { readonly tx: Db; readonly zone: ZoneRow },
  consents: readonly StoredConsent[],
  name: string,
): Promise<void> {
  await updateRow(tx, "zones", zone.id, { subdomain_consents: toJson([...consents]) });
  await judgeZonesNamed(tx, zone.account_id, [name]);
}

function consentsOf({ subdomain_consents }: ZoneRow): StoredConsent[] {
  return subdomain_consents === null ? [] : fromJson(subdomain_consents);
}

function toConsent({ id, name, account_id, created_on }: StoredConsent): SubdomainConsent {
  return { id, name, account: { id: account_id }, created_on };
}
