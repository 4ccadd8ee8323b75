import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier, invalidRequest } from "../../core/error.ts";
import { zoneRead, zoneWrite } from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow, deleteRows, findRow, insertRows, selectRows, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { Web3ContentListEntryRow, Web3HostnameRow } from "../../storage/schema/web3.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { refuseContent, findWeb3Hostname } from "./web3-hostnames.ts";
import {
  contentListEntriesMax,
  ReplaceWeb3ContentListBody,
  Web3ContentList,
  Web3ContentListEntries,
  Web3ContentListEntry,
  Web3ContentListEntryBody,
} from "./schema.ts";

const read = "Web3 Hostnames Read";
const write = "Web3 Hostnames Write";
const path = "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}/ipfs_universal_path/content_list";

/** The only known action. */
const action = "block";

/**
 * Every hostname with the target `ipfs_universal_path` has a content list, initially empty.
 * Errors: 404 code 1002 for the hostname, 400 code 1004 for another target.
 */
export const getWeb3ContentList = zoneRead({
  name: "getWeb3ContentList",
  summary: "Get the content list of a Web3 hostname",
  path,
  permission: read,
  result: Web3ContentList,
  run: async ({ db, zone }, { params }) => {
    await findGateway(db, zone, params.web3_hostname_id);
    return { action };
  },
});

/**
 * Replaces all entries; one with the same content keeps its id.
 * Errors: as `getWeb3ContentList`, and 400 code 1004 for invalid content, 1005 for a duplicate, 1007 below
 * Enterprise.
 */
export const replaceWeb3ContentList = zoneWrite({
  name: "replaceWeb3ContentList",
  summary: "Replace the content list of a Web3 hostname",
  method: "PUT",
  path,
  permission: write,
  body: ReplaceWeb3ContentListBody,
  result: Web3ContentList,
  run: async ({ tx, zone, context, now, audit }, { params, body: { entries } }) => {
    const { id: hostnameId } = await findGateway(tx, zone, params.web3_hostname_id);
    refuseBelowEnterprise(zone);
    const before = await entriesOf(tx, hostnameId);
    const earlier = new Map(before.map((row) => [row.content, row]));
    const listed = new Set<string>();
    const after = entries.map((entry, index): Web3ContentListEntryRow => {
      const pointer = `/entries/${index}/content`;
      refuseContent(entry.type, entry.content, pointer);
      if (listed.has(entry.content)) throw listedAlready(entry.content, pointer);
      listed.add(entry.content);
      const row = earlier.get(entry.content);
      return row === undefined
        ? newRow(context.newId(), hostnameId, now, entry)
        : { ...row, ...changeOf(row, entry, now) };
    });
    await deleteRows(tx, "web3_content_list_entries", { hostname_id: hostnameId });
    await insertRows(tx, "web3_content_list_entries", after);
    audit({
      action: "web3_content_list_edit",
      id: hostnameId,
      before: { action, entries: before.map(toEntry) },
      after: { action, entries: after.map(toEntry) },
    });
    return { action };
  },
});

/** By content; not paginated. Errors: as `getWeb3ContentList`. */
export const listWeb3ContentListEntries = zoneRead({
  name: "listWeb3ContentListEntries",
  summary: "List the entries of a content list",
  path: `${path}/entries`,
  permission: read,
  result: Web3ContentListEntries,
  run: async ({ db, zone }, { params }) => {
    const { id } = await findGateway(db, zone, params.web3_hostname_id);
    return { entries: (await entriesOf(db, id)).map(toEntry) };
  },
});

/** Errors: as `replaceWeb3ContentList`, and 400 code 1006 above the maximum. */
export const createWeb3ContentListEntry = zoneWrite({
  name: "createWeb3ContentListEntry",
  summary: "Add an entry to a content list",
  method: "POST",
  path: `${path}/entries`,
  permission: write,
  body: Web3ContentListEntryBody,
  result: Web3ContentListEntry,
  run: async ({ tx, zone, context, now, audit }, { params, body }) => {
    const { id: hostnameId } = await findGateway(tx, zone, params.web3_hostname_id);
    refuseBelowEnterprise(zone);
    refuseContent(body.type, body.content, "/content");
    const earlier = await entriesOf(tx, hostnameId);
    if (earlier.some(({ content }) => content === body.content)) {
      throw listedAlready(body.content, "/content");
    }
    if (earlier.length >= contentListEntriesMax) {
      throw invalidRequest(
        errorCodes.web3Hostnames.quotaReached,
        `The list already has its maximum of ${contentListEntriesMax} entries`,
      );
    }
    const row = newRow(context.newId(), hostnameId, now, body);
    await insertRows(tx, "web3_content_list_entries", [row]);
    const after = toEntry(row);
    audit({ action: "web3_content_list_entry_add", id: row.id, after });
    return after;
  },
});

/** Errors: as `getWeb3ContentList`, and 404 code 1002 for the entry. */
export const getWeb3ContentListEntry = zoneRead({
  name: "getWeb3ContentListEntry",
  summary: "Get an entry of a content list",
  path: `${path}/entries/{content_list_entry_id}`,
  permission: read,
  result: Web3ContentListEntry,
  run: async ({ db, zone }, { params }) => {
    const hostname = await findGateway(db, zone, params.web3_hostname_id);
    return toEntry(await findEntry(db, hostname, params.content_list_entry_id));
  },
});

/** The entry keeps its id. Errors: as `createWeb3ContentListEntry`, and 404 code 1002 for the entry. */
export const replaceWeb3ContentListEntry = zoneWrite({
  name: "replaceWeb3ContentListEntry",
  summary: "Replace an entry of a content list",
  method: "PUT",
  path: `${path}/entries/{content_list_entry_id}`,
  permission: write,
  body: Web3ContentListEntryBody,
  result: Web3ContentListEntry,
  run: async ({ tx, zone, now, audit }, { params, body }) => {
    const id = params.content_list_entry_id;
    const hostname = await findGateway(tx, zone, params.web3_hostname_id);
    refuseBelowEnterprise(zone);
    const row = await findEntry(tx, hostname, id);
    refuseContent(body.type, body.content, "/content");
    const others = await entriesOf(tx, hostname.id);
    if (others.some((other) => other.content === body.content && other.id !== id)) {
      throw listedAlready(body.content, "/content");
    }
    const changed = changeOf(row, body, now);
    await updateRow(tx, "web3_content_list_entries", id, changed);
    const [before, after] = [toEntry(row), toEntry({ ...row, ...changed })];
    audit({ action: "web3_content_list_entry_edit", id, before, after });
    return after;
  },
});

/** Errors: as `getWeb3ContentListEntry`. */
export const deleteWeb3ContentListEntry = zoneWrite({
  name: "deleteWeb3ContentListEntry",
  summary: "Delete an entry of a content list",
  method: "DELETE",
  path: `${path}/entries/{content_list_entry_id}`,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params }) => {
    const id = params.content_list_entry_id;
    const row = await findEntry(tx, await findGateway(tx, zone, params.web3_hostname_id), id);
    await deleteRow(tx, "web3_content_list_entries", id);
    audit({ action: "web3_content_list_entry_delete", id, before: toEntry(row) });
    return { id };
  },
});

async function findGateway(db: Db, zone: ZoneRow, id: string): Promise<Web3HostnameRow> {
  const hostname = await findWeb3Hostname(db, zone.id, id);
  if (hostname.target === "ipfs_universal_path") return hostname;
  throw invalidRequest(
    errorCodes.web3Hostnames.invalid,
    "Only a hostname of the target ipfs_universal_path has a content list",
  );
}

/** Only additions and changes need Enterprise: lists stay readable and can be emptied on lower plans. */
function refuseBelowEnterprise({ plan }: ZoneRow): void {
  if (plan !== "enterprise")
    throw invalidRequest(errorCodes.web3Hostnames.enterpriseOnly, "Content lists need the Enterprise plan");
}

async function findEntry(db: Db, { id: hostnameId }: Web3HostnameRow, id: string) {
  return findRow(db, "web3_content_list_entries", { hostname_id: hostnameId, id }, () =>
    invalidIdentifier("content list entry", errorCodes.web3Hostnames.unknown),
  );
}

function listedAlready(content: string, pointer: string): AppError {
  return invalidRequest(
    errorCodes.web3Hostnames.exists,
    `${content} is already in the content list`,
    pointer,
  );
}

/** By content; `contentListEntriesMax` bounds them. */
function entriesOf(db: Db, hostname_id: string): Promise<Web3ContentListEntryRow[]> {
  return selectRows(db, "web3_content_list_entries", { hostname_id }, ["content"]);
}

function newRow(
  id: string,
  hostname_id: string,
  now: Date,
  { type, content, description = "" }: Web3ContentListEntryBody,
): Web3ContentListEntryRow {
  const created_on = toTimestamp(now);
  return { id, hostname_id, type, content, description, created_on, modified_on: created_on };
}

function changeOf(
  row: Web3ContentListEntryRow,
  { type, content, description = "" }: Web3ContentListEntryBody,
  now: Date,
) {
  const isSame = row.type === type && row.content === content && row.description === description;
  return { type, content, description, modified_on: isSame ? row.modified_on : toTimestamp(now) };
}

function toEntry(row: Web3ContentListEntryRow): Web3ContentListEntry {
  const { id, type, content, description, created_on, modified_on } = row;
  return { id, type, content, description, created_on, modified_on };
}
