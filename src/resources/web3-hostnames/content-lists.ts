import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, Web3ContentListEntryRow, Web3HostnameRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type ChangeSubject } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import {
  deleteContentListEntries,
  deleteContentListEntryRow,
  insertContentListEntries,
  selectContentListEntries,
  selectContentListEntry,
  updateContentListEntry,
} from "./content-list-store.ts";
import { refuseContent } from "./content.ts";
import {
  contentListEntriesMax,
  type ReplaceWeb3ContentListBody,
  type Web3ContentList,
  type Web3ContentListEntries,
  type Web3ContentListEntry,
  type Web3ContentListEntryBody,
} from "./schema.ts";
import { findWeb3Hostname } from "./web3-hostnames.ts";

/** Nothing but `block` is known. */
const action = "block";

/**
 * The content list that a hostname of the target `ipfs_universal_path` always has, at first an empty one.
 * Errors: 404 code 1001 for the zone, 1002 for the hostname; 400 code 1004 for one of another target.
 */
export async function getWeb3ContentList(
  { db }: Context,
  zoneId: string,
  hostnameId: string,
): Promise<Web3ContentList> {
  await findZone(db.read, zoneId);
  await findGateway(db.read, zoneId, hostnameId);
  return { action };
}

/**
 * Gives a hostname these entries and no others; one of the same content keeps its id.
 * Errors: as `getWeb3ContentList`, and 400 code 1004 for content that is none, 1005 for the same twice, 1007 below
 * Enterprise.
 */
export async function replaceWeb3ContentList(
  context: Context,
  caller: Caller,
  zoneId: string,
  hostnameId: string,
  { entries }: ReplaceWeb3ContentListBody,
): Promise<Web3ContentList> {
  return changeContentList(context, zoneId, hostnameId, async (tx, zone, hostname) => {
    const before = await selectContentListEntries(tx, hostname.id);
    const earlier = new Map(before.map((row) => [row.content, row]));
    const listed = new Set<string>();
    const after = entries.map((entry, index): Web3ContentListEntryRow => {
      const pointer = `/entries/${index}/content`;
      refuseContent(entry.type, entry.content, pointer);
      if (listed.has(entry.content)) throw listedAlready(entry.content, pointer);
      listed.add(entry.content);
      const row = earlier.get(entry.content);
      return row === undefined
        ? newRow(context, hostname, entry)
        : { ...row, ...changeOf(context, row, entry) };
    });
    await deleteContentListEntries(tx, hostname.id);
    await insertContentListEntries(tx, after);
    await recordChanges(context, tx, caller, [
      {
        action: "web3_content_list_edit",
        owner: { zone },
        resource: { type: "web3_hostname", id: hostname.id },
        before: { action, entries: before.map(toEntry) },
        after: { action, entries: after.map(toEntry) },
      },
    ]);
    return { action };
  });
}

/** All entries by content, not paginated. Errors: as `getWeb3ContentList`. */
export async function listWeb3ContentListEntries(
  { db }: Context,
  zoneId: string,
  hostnameId: string,
): Promise<Web3ContentListEntries> {
  await findZone(db.read, zoneId);
  const { id } = await findGateway(db.read, zoneId, hostnameId);
  return { entries: (await selectContentListEntries(db.read, id)).map(toEntry) };
}

/** Errors: as `getWeb3ContentList`, and 404 code 1002 for the entry. */
export async function getWeb3ContentListEntry(
  { db }: Context,
  zoneId: string,
  hostnameId: string,
  id: string,
): Promise<Web3ContentListEntry> {
  await findZone(db.read, zoneId);
  const hostname = await findGateway(db.read, zoneId, hostnameId);
  return toEntry(await findEntry(db.read, hostname, id));
}

/** Errors: as `replaceWeb3ContentList`, and 400 code 1006 for an entry above the most that a list has. */
export async function createWeb3ContentListEntry(
  context: Context,
  caller: Caller,
  zoneId: string,
  hostnameId: string,
  body: Web3ContentListEntryBody,
): Promise<Web3ContentListEntry> {
  return changeContentList(context, zoneId, hostnameId, async (tx, zone, hostname) => {
    refuseContent(body.type, body.content, "/content");
    const earlier = await selectContentListEntries(tx, hostname.id);
    if (earlier.some(({ content }) => content === body.content))
      throw listedAlready(body.content, "/content");
    if (earlier.length >= contentListEntriesMax) {
      throw new AppError(
        "invalid",
        1006,
        `The list already has its maximum of ${contentListEntriesMax} entries`,
      );
    }
    const row = newRow(context, hostname, body);
    await insertContentListEntries(tx, [row]);
    const after = toEntry(row);
    await recordChanges(context, tx, caller, [
      { action: "web3_content_list_entry_add", ...subjectOf(zone, row), after },
    ]);
    return after;
  });
}

/** Replaces an entry, which keeps its id. Errors: as `createWeb3ContentListEntry`, and 404 code 1002 for the entry. */
export async function replaceWeb3ContentListEntry(
  context: Context,
  caller: Caller,
  zoneId: string,
  hostnameId: string,
  id: string,
  body: Web3ContentListEntryBody,
): Promise<Web3ContentListEntry> {
  return changeContentList(context, zoneId, hostnameId, async (tx, zone, hostname) => {
    const row = await findEntry(tx, hostname, id);
    refuseContent(body.type, body.content, "/content");
    const others = await selectContentListEntries(tx, hostname.id);
    if (others.some((other) => other.content === body.content && other.id !== id)) {
      throw listedAlready(body.content, "/content");
    }
    const change = changeOf(context, row, body);
    await updateContentListEntry(tx, id, change);
    const [before, after] = [toEntry(row), toEntry({ ...row, ...change })];
    await recordChanges(context, tx, caller, [
      { action: "web3_content_list_entry_edit", ...subjectOf(zone, row), before, after },
    ]);
    return after;
  });
}

/** Errors: as `getWeb3ContentListEntry`. */
export async function deleteWeb3ContentListEntry(
  context: Context,
  caller: Caller,
  zoneId: string,
  hostnameId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findEntry(tx, await findGateway(tx, zoneId, hostnameId), id);
    await deleteContentListEntryRow(tx, id);
    await recordChanges(context, tx, caller, [
      { action: "web3_content_list_entry_delete", ...subjectOf(zone, row), before: toEntry(row) },
    ]);
    return { id };
  });
}

/** What adds to a list or changes it is of Enterprise alone; reading and deleting remain where the plan was lowered. */
async function changeContentList<Result>(
  { db }: Context,
  zoneId: string,
  hostnameId: string,
  change: (tx: Db, zone: ZoneRow, hostname: Web3HostnameRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const hostname = await findGateway(tx, zoneId, hostnameId);
    if (zone.plan !== "enterprise")
      throw new AppError("invalid", 1007, "Content lists need the Enterprise plan");
    return change(tx, zone, hostname);
  });
}

async function findGateway(db: Db, zoneId: string, id: string): Promise<Web3HostnameRow> {
  const hostname = await findWeb3Hostname(db, zoneId, id);
  if (hostname.target === "ipfs_universal_path") return hostname;
  throw new AppError("invalid", 1004, "Only a hostname of the target ipfs_universal_path has a content list");
}

async function findEntry(db: Db, { id: hostnameId }: Web3HostnameRow, id: string) {
  const row = await selectContentListEntry(db, hostnameId, id);
  if (row === undefined) throw new AppError("not-found", 1002, "Invalid content list entry identifier");
  return row;
}

function listedAlready(content: string, pointer: string): AppError {
  return new AppError("invalid", 1005, `${content} is already in the content list`, { pointer });
}

function newRow(
  { now, newId }: Context,
  { id: hostname_id }: Web3HostnameRow,
  { type, content, description = "" }: Web3ContentListEntryBody,
): Web3ContentListEntryRow {
  const created_on = toTimestamp(now());
  return { id: newId(), hostname_id, type, content, description, created_on, modified_on: created_on };
}

function changeOf(
  { now }: Context,
  row: Web3ContentListEntryRow,
  { type, content, description = "" }: Web3ContentListEntryBody,
) {
  const isSame = row.type === type && row.content === content && row.description === description;
  return { type, content, description, modified_on: isSame ? row.modified_on : toTimestamp(now()) };
}

function toEntry(row: Web3ContentListEntryRow): Web3ContentListEntry {
  const { id, type, content, description, created_on, modified_on } = row;
  return { id, type, content, description, created_on, modified_on };
}

function subjectOf(zone: ZoneRow, { id }: Web3ContentListEntryRow): ChangeSubject {
  return { owner: { zone }, resource: { type: "web3_content_list_entry", id } };
}
