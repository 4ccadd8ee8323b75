import { once } from "node:events";

import type { RdataInput } from "../../core/dns/content/record-types.ts";
import { AppError } from "../../core/error.ts";
import type { RecordLookup, ScannedType } from "../../network/dns-resolver.ts";
import type { AsyncDelay } from "../../operation/context.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import {
  addRecords,
  identityOf,
  parseRecord,
  recordRules,
  refuseTransferred,
  selectIdentities,
  toRecord,
  type BulkResult,
  type DnsContext,
  type DnsRecord,
  type RecordFields,
  each,
  type RecordChanges,
} from "../dns-records/dns-records.ts";
import { errorCodes } from "../../core/error-codes.ts";
import type { ScanReviewBody } from "./schema.ts";
import { putFound, selectFound } from "./store.ts";

export interface ScanContext extends DnsContext, AsyncDelay {
  readonly lookUpRecords: RecordLookup;
}

const apexTypes = ["A", "AAAA", "MX", "TXT", "CAA"] as const;
const textNames = ["_dmarc"];
/** Names that most domains have some of: DNS cannot be asked for a list. */
const commonNames = [
  "www", "mail", "webmail", "smtp", "imap", "pop", "ftp", "sftp", "autodiscover", "autoconfig", "api", "app", "admin",
  "portal", "dashboard", "login", "auth", "sso", "vpn", "remote", "cdn", "static", "assets", "img", "images", "media",
  "blog", "shop", "store", "docs", "help", "support", "status", "dev", "test", "staging", "beta", "demo", "git", "ci",
  "m", "mobile", "ns1", "ns2", "cpanel",
]; // prettier-ignore

const lookUpsAtOnce = 10;
const scanMsMax = 5_000;

interface Question {
  readonly name: string;
  readonly types: readonly ScannedType[];
}

/** Adds to a zone what it does not have yet; messages name what is not added. */
export function addFoundRecords(
  work: ZoneChangeWork<DnsContext>,
  found: readonly Found[],
): Promise<BulkResult> {
  const rules = recordRules(work.zone, work.context);
  return addRecords(work, "rec_scan", async (adder) => {
    for (const [place, { name, type, rdata }] of found.entries()) {
      const fields = readable(() => parseRecord({ name, type, ...rdata }, rules));
      if (fields instanceof AppError) adder.refuse(place, name, fields);
      else await adder.add(place, fields);
    }
    return found.length;
  });
}

/** The found records that the zone lacks, as records of the zone with new ids. They are not stored. */
export async function lackingRecords(
  { tx, zone, context, now }: ZoneChangeWork<DnsContext>,
  found: readonly Found[],
): Promise<readonly DnsRecord[]> {
  refuseTransferred(zone);
  const rules = recordRules(zone, context);
  const byIdentity = new Map<string, RecordFields>();
  for (const { name, type, rdata } of found) {
    const fields = readable(() => parseRecord({ name, type, ...rdata }, rules));
    if (!(fields instanceof AppError)) byIdentity.set(identityOf(fields), fields);
  }
  if (byIdentity.size === 0) return [];
  const known = new Set(await selectIdentities(tx, zone.id, [...byIdentity.keys()]));
  return [...byIdentity]
    .filter(([identity]) => !known.has(identity))
    .map(([, fields]) => toRecord(fields, { id: context.newId(), zone, now: toTimestamp(now) }));
}

function questionsFor(zoneName: string): Question[] {
  return [
    { name: zoneName, types: apexTypes },
    ...textNames.map((label) => ({ name: `${label}.${zoneName}`, types: ["TXT"] as const })),
    ...commonNames.map((label) => ({ name: `${label}.${zoneName}`, types: ["CNAME", "A", "AAAA"] as const })),
  ];
}

interface Found {
  readonly name: string;
  readonly type: ScannedType;
  readonly rdata: RdataInput;
}

/**
 * Asks the resolvers for usual names of a domain. It ends after five seconds with what was found by then: no
 * error of a resolver is one of the scan.
 */
export async function lookUpCommonNames(lookUp: RecordLookup, zoneName: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  const waiting = questionsFor(zoneName);
  const deadline = AbortSignal.timeout(scanMsMax);
  const work = async (): Promise<void> => {
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      for (const type of question.types) {
        const records = await lookUp(question.name, type);
        if (deadline.aborted) return;
        found.push(...records.map((rdata) => ({ name: question.name, type, rdata })));
        // A resolver follows an alias: the addresses behind it are not the name's own.
        if (type === "CNAME" && records.length > 0) break;
      }
    }
  };
  // A resolver that is silent keeps its look-ups waiting for longer than the scan may take.
  await Promise.race([Promise.all(Array.from({ length: lookUpsAtOnce }, work)), once(deadline, "abort")]);
  return found;
}

function readable(parse: () => RecordFields): RecordFields | AppError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Adds the records that are accepted, and forgets those and the rejected ones.
 * Errors: as `RecordChanges.create`, and 404 code 81044 to reject what no scan has found, with a pointer into
 * the body.
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
