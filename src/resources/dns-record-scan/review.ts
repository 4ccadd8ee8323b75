import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import { each, type DnsContext, type DnsRecord, type RecordChanges } from "../dns-records/dns-records.ts";
import type { ScanReviewBody } from "./schema.ts";
import { putFound, selectFound } from "./store.ts";

/**
 * Adds the records that are accepted, and forgets those and the rejected ones.
 * Errors: as `RecordChanges.create`, and 404 code 81044 to reject what no scan has found, with a pointer into the body.
 */
export async function reviewFound(
  { tx, zone, audit }: ZoneChangeWork<DnsContext>,
  { create }: RecordChanges,
  { accepts = [], rejects = [] }: ScanReviewBody,
): Promise<{ accepts: readonly DnsRecord[]; rejects: readonly string[] }> {
  if (accepts.length + rejects.length === 0) return { accepts: [], rejects: [] };
  const metadata = { accepted: accepts.length, rejected: rejects.length };
  audit({ action: "rec_scan_review", id: zone.id, metadata });
  const waiting = new Map((await selectFound(tx, zone.id)).map((record) => [record.id, record]));
  const rejected = rejects.map(({ id }, index) => {
    if (!waiting.delete(id)) throw notFound(`/rejects/${index}/id`);
    return id;
  });
  const created = await each("accepts", accepts, create);
  const added = created.map(({ text }) => JSON.parse(text) as DnsRecord);
  for (const { id } of accepts) waiting.delete(id ?? "");
  const settled = new Set(added.map(contentOf));
  const left = [...waiting.values()].filter((record) => !settled.has(contentOf(record)));
  await putFound(tx, zone.id, left);
  return { accepts: added, rejects: rejected };
}

function contentOf({ type, name, content, priority }: DnsRecord): string {
  return JSON.stringify([type, name, content, priority]);
}

function notFound(pointer: string): AppError {
  return new AppError("not-found", errorCodes.dnsRecords.unknown, "No scan found this record.", { pointer });
}
