import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { aboveQuota, invalidRequest } from "../../core/error.ts";
import { zoneRead, zoneWrite } from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow, insertRow, selectRows, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Web3HostnameRow } from "../../storage/schema/web3.ts";
import { plans } from "../zones/zones.ts";
import { CreateWeb3HostnameBody, EditWeb3HostnameBody, Web3Hostname } from "./schema.ts";
import { findWeb3Hostname, parseName, refuseDnsLink, toWeb3Hostname } from "./web3-hostnames.ts";

const read = "Web3 Hostnames Read";
const write = "Web3 Hostnames Write";

/** By name; not paginated. */
export const listWeb3Hostnames = zoneRead({
  name: "listWeb3Hostnames",
  summary: "List the Web3 hostnames of a zone",
  path: "/zones/{zone_id}/web3/hostnames",
  permission: read,
  result: Type.Array(Web3Hostname),
  run: async ({ db, zone }) =>
    (await selectRows(db, "web3_hostnames", { zone_id: zone.id }, ["name"])).map((row) =>
      toWeb3Hostname(row, zone),
    ),
});

/**
 * Errors: 400 code 1004 for a name outside the zone or an invalid DNSLink, 1005 for a name in use, 1006 above
 * the quota of the plan.
 */
export const createWeb3Hostname = zoneWrite({
  name: "createWeb3Hostname",
  summary: "Create a Web3 hostname",
  method: "POST",
  path: "/zones/{zone_id}/web3/hostnames",
  permission: write,
  body: CreateWeb3HostnameBody,
  result: Web3Hostname,
  run: async ({ tx, zone, context, now, audit }, { body }) => {
    const name = parseName(body.name, zone);
    const { target } = body;
    const [description, dnslink] = [body.description ?? "", body.dnslink ?? ""];
    refuseDnsLink(target, dnslink);
    const earlier = await selectRows(tx, "web3_hostnames", { zone_id: zone.id }, ["name"]);
    if (earlier.some((row) => row.name === name)) {
      throw invalidRequest(errorCodes.web3Hostnames.exists, `${name} is already a Web3 hostname`, "/name");
    }
    const quota = plans[zone.plan].web3HostnameQuota;
    if (earlier.length >= quota) {
      throw aboveQuota(errorCodes.web3Hostnames.quotaReached, quota, "Web3 hostnames");
    }
    const created_on = toTimestamp(now);
    const row: Web3HostnameRow = {
      id: context.newId(),
      zone_id: zone.id,
      name,
      target,
      description,
      dnslink,
      created_on,
      modified_on: created_on,
    };
    await insertRow(tx, "web3_hostnames", row);
    const after = toWeb3Hostname(row, zone);
    audit({ action: "web3_hostname_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const getWeb3Hostname = zoneRead({
  name: "getWeb3Hostname",
  summary: "Get a Web3 hostname",
  path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
  permission: read,
  result: Web3Hostname,
  run: async ({ db, zone }, { params }) =>
    toWeb3Hostname(await findWeb3Hostname(db, zone.id, params.web3_hostname_id), zone),
});

/** Omitted fields keep their values. Errors: 404 code 1002, 400 code 1004. */
export const editWeb3Hostname = zoneWrite({
  name: "editWeb3Hostname",
  summary: "Change the description or the DNSLink of a Web3 hostname",
  method: "PATCH",
  path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
  permission: write,
  body: EditWeb3HostnameBody,
  result: Web3Hostname,
  run: async ({ tx, zone, now, audit }, { params: { web3_hostname_id: id }, body }) => {
    const row = await findWeb3Hostname(tx, zone.id, id);
    const description = textAfter(row.description, body.description);
    const dnslink = textAfter(row.dnslink, body.dnslink);
    refuseDnsLink(row.target, dnslink);
    const changed = { description, dnslink, modified_on: toTimestamp(now) };
    await updateRow(tx, "web3_hostnames", id, changed);
    const [before, after] = [toWeb3Hostname(row, zone), toWeb3Hostname({ ...row, ...changed }, zone)];
    audit({ action: "web3_hostname_edit", id, before, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const deleteWeb3Hostname = zoneWrite({
  name: "deleteWeb3Hostname",
  summary: "Delete a Web3 hostname",
  method: "DELETE",
  path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { web3_hostname_id: id } }) => {
    const before = toWeb3Hostname(await findWeb3Hostname(tx, zone.id, id), zone);
    await deleteRow(tx, "web3_hostnames", id);
    audit({ action: "web3_hostname_delete", id, before });
    return { id };
  },
});

/** Undefined keeps the text; null clears it. */
function textAfter(before: string, sent: string | null | undefined): string {
  return sent === undefined ? before : (sent ?? "");
}
