import { hash } from "node:crypto";

import { checkSignersData, isSignersType } from "../../core/dns/dnssec/transferred-data.ts";
import { qualifyName } from "../../core/dns/name.ts";
import { parseRdata, recordTypes, type RecordType } from "../../core/dns/rdata.ts";
import { typeName } from "../../core/dns/wire/codes.ts";
import type { ResourceRecord } from "../../core/dns/wire/message.ts";
import { foldName } from "../../core/dns/wire/names.ts";
import { octetsToBase64 } from "../../core/dns/wire/octets.ts";
import { foldNamesIn } from "../../core/dns/wire/rdata-layouts.ts";
import { recordData } from "../../core/dns/wire/record-data.ts";
import { recordInput } from "../../core/dns/wire/record-input.ts";
import { WireError } from "../../core/dns/wire/wire-error.ts";
import { AppError } from "../../core/error.ts";
import type { WireRecordRow } from "../../storage/schema/dns.ts";
import { identityOf, type RecordFields } from "../dns-records/dns-records.ts";

/** A record of a transfer as it is stored: as one of the API, or as it came. */
export interface TransferredRecord {
  readonly identity: string;
  readonly name: string;
  readonly ttl: number;
  readonly fields: RecordFields | undefined;
  /** Of a record that the API cannot express. */
  readonly wire: Omit<WireRecordRow, "zone_id"> | undefined;
}

const knownTypes: ReadonlySet<string> = new Set(recordTypes);

/** A TTL of 1 would stand for an automatic one. */
const ttlMin = 2;
/** Larger ones stand for 0 (RFC 2181 section 8). */
const ttlMax = 0x7fff_ffff;

/**
 * A record as it is stored; undefined for one of a signer in a zone that is served without its primary's signatures. In
 * a presigned zone, what the API would change by a letter stays as it is: its signature would be wrong. Throws a WireError for
 * malformed data of a signer's record.
 */
export function storedFrom(
  record: ResourceRecord,
  zoneName: string,
  isPresigned: boolean,
): TransferredRecord | undefined {
  const { type, rdata } = record;
  if (isSignersType(type)) {
    if (!isPresigned) return undefined;
    checkSignersData(type, rdata);
    return asItCame(record);
  }
  const fields = toFields(record, zoneName);
  if (fields === undefined) return asItCame(record);
  const isExact = foldNamesIn(type, recordData(fields.type, fields.rdata)) === foldNamesIn(type, rdata);
  if (isPresigned && !isExact) return asItCame(record);
  return { identity: identityOf(fields), name: fields.name, ttl: fields.ttl, fields, wire: undefined };
}

function asItCame({ name: owner, type, ttl: given, rdata }: ResourceRecord): TransferredRecord {
  const name = foldName(owner);
  const ttl = given > ttlMax ? 0 : given;
  const data = octetsToBase64(rdata);
  const identity = hash("sha256", `${name} ${type} ${data}`).slice(0, 32);
  return { identity, name, ttl, fields: undefined, wire: { identity, name, type, ttl, rdata: data } };
}

/** A record as the API has it; undefined for one that it cannot express. */
function toFields(
  { name, type: code, ttl, rdata }: ResourceRecord,
  zoneName: string,
): RecordFields | undefined {
  const type = typeName(code);
  if (!isRecordType(type)) return undefined;
  try {
    return {
      name: qualifyName(`${name}.`, zoneName),
      type,
      rdata: parseRdata(type, recordInput(type, rdata), zoneName),
      ttl: ttl === 1 ? ttlMin : ttl > ttlMax ? 0 : ttl,
      proxiable: false,
      proxied: false,
      comment: null,
      tags: [],
      settings: type === "CNAME" ? { flatten_cname: false } : {},
    };
  } catch (error) {
    if (error instanceof AppError || error instanceof WireError) return undefined;
    throw error;
  }
}

function isRecordType(type: string): type is RecordType {
  return knownTypes.has(type);
}
