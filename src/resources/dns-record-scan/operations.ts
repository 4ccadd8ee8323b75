import { Type } from "@sinclair/typebox";

import { zoneRead, zoneWrite, type ZoneRead, type ZoneWrite } from "../../operation/scope.ts";
import { changeRecords, DnsRecord, ImportResult } from "../dns-records/dns-records.ts";
import {
  reviewFound,
  addFoundRecords,
  lackingRecords,
  lookUpCommonNames,
  type ScanContext,
} from "./dns-record-scan.ts";
import { putFound, selectFound } from "./store.ts";
import { ScanReviewBody, ScanReviewResult } from "./schema.ts";

const path = "/zones/{zone_id}/dns_records/scan";
const read = "DNS Read";
const write = "DNS Write";

const prepare = async ({ zone, context }: ZoneRead<ScanContext>) => {
  const [found] = await Promise.all([
    lookUpCommonNames(context.lookUpRecords, zone.name),
    context.takeTime(),
  ]);
  return found;
};

/** Asks for usual names of the domain, for five seconds at most, and adds what the zone does not have yet. */
export const scanDnsRecords = zoneWrite({
  name: "scanDnsRecords",
  summary: "Look up common names of the domain and add their records",
  method: "POST",
  path,
  permission: write,
  result: ImportResult,
  prepare,
  run: async (work: ZoneWrite<ScanContext>, { prepared }) => {
    const { result, messages } = await addFoundRecords(work, prepared);
    for (const message of messages) work.addMessage(message);
    return result;
  },
});

/** The scan is over when it is answered. What the one before it found is forgotten. */
export const triggerRecordScan = zoneWrite({
  name: "triggerRecordScan",
  summary: "Look up common names of the domain, for a review of their records",
  method: "POST",
  path: `${path}/trigger`,
  permission: write,
  result: Type.Null(),
  prepare,
  run: async (work: ZoneWrite<ScanContext>, { prepared }) => {
    const { tx, zone, audit } = work;
    const found = await lackingRecords(work, prepared);
    await putFound(tx, zone.id, found);
    const metadata = { recs_found: found.length, total_records_parsed: prepared.length };
    audit({ action: "rec_scan", id: zone.id, metadata });
    return null;
  },
});

export const listScannedRecords = zoneRead({
  name: "listScannedRecords",
  summary: "List the records that a scan found and that wait for a review",
  path: `${path}/review`,
  permission: read,
  result: Type.Array(DnsRecord),
  run: ({ db, zone }) => selectFound(db, zone.id),
});

/** Errors: as `reviewFound`. */
export const reviewScannedRecords = zoneWrite({
  name: "reviewScannedRecords",
  summary: "Add records that a scan found, or forget them, all or nothing",
  method: "POST",
  path: `${path}/review`,
  permission: write,
  body: ScanReviewBody,
  result: ScanReviewResult,
  run: (work: ZoneWrite<ScanContext>, { body }) =>
    changeRecords(work, (changes) => reviewFound(work, changes, body)),
});
