import { readZoneFile, type ZoneFileRecord } from "../../core/dns/zone-file/parse.ts";
import { ZoneFileError } from "../../core/dns/zone-file/entries.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import type { FormBody } from "../../core/forms/multipart.ts";
import { readUpload, textOfFile } from "../../core/forms/upload.ts";
import type { Actor } from "../../operation/audit.ts";
import type { OfAccount, Task, TaskCaller } from "../../operation/task.ts";
import { zoneUnitOfWork } from "../../operation/scope.ts";
import { addRecords, type BulkResult, type PlacedAdder } from "./bulk.ts";
import {
  parseRecord,
  recordRules,
  ttlMax,
  type DnsContext,
  type RecordFields,
  type RecordRules,
} from "./record.ts";
import type { DnsRecordBody } from "./schema.ts";

export const zoneFileBytesMax = 8 * 1024 * 1024;

/** The size up to which this thread imports a file: some two thousand of the shortest records. */
const smallBytesMax = 16 * 1024;
/** Finds the directive that makes many records of a few octets. */
const generateDirective = /\$generate/i;

interface ZoneFileForm extends OfAccount {
  readonly zoneId: string;
  /**
   * Field `file`; and `proxied`: whether records that can be proxied are, where the file does not say it
   * itself.
   */
  readonly form: FormBody;
}

/**
 * Adds the records of a BIND zone file; a large file is read in a worker. A message names each record that is
 * refused, or that the zone has already, and says why. SOA and the NS records of the apex are the zone's own.
 * A TTL outside of the plan's bounds becomes the nearest one inside.
 * Errors: those of `readUpload`, 400 code 9350 with the number of the first line that is no part of a zone
 * file, 413 code 10413 for a file above 8 MiB, 404 code 1001; then nothing is added.
 */
export const importDnsRecordsTask: Task<DnsContext, ZoneFileForm, BulkResult> = {
  name: "importDnsRecords",
  isSmall: ({ form: { bytes } }) =>
    bytes.length <= smallBytesMax && !generateDirective.test(Buffer.from(bytes).toString("latin1")),
  isBrief: false,
  handsOver: ({ form }) => [form.bytes.buffer],
  run: importZoneFile,
};

async function importZoneFile(
  context: DnsContext,
  caller: TaskCaller,
  { zoneId, form }: ZoneFileForm,
): Promise<BulkResult> {
  const upload = readUpload(form);
  const isProxied = parseProxiedField(upload.fields["proxied"]);
  return addZoneFile(context, caller, { zoneId, file: upload.file, isProxied });
}

interface ZoneFile {
  readonly zoneId: string;
  readonly file: Uint8Array;
  /** Whether records that can be proxied are, where the file does not say it itself. */
  readonly isProxied: boolean;
}

/** Imports a zone file as `importDnsRecordsTask` does, in this thread. */
export async function addZoneFile(
  context: DnsContext,
  actor: Actor,
  { zoneId, file, isProxied }: ZoneFile,
): Promise<BulkResult> {
  if (file.length > zoneFileBytesMax) {
    throw new AppError(
      "too-large",
      errorCodes.request.bodyTooLarge,
      `The zone file exceeds ${zoneFileBytesMax} bytes`,
      { pointer: "/file" },
    );
  }
  const text = textOfFile(file);
  return zoneUnitOfWork(context, actor, zoneId, (work) =>
    addRecords(work, "rec_import", (adder) =>
      addEach(adder, text, recordRules(work.zone, context), isProxied),
    ),
  );
}

async function addEach(
  adder: PlacedAdder,
  file: string,
  rules: RecordRules,
  proxiedDefault: boolean,
): Promise<number> {
  const reader = readZoneFile(file, { zoneName: rules.zoneName, ttlDefault: 1 });
  try {
    let step = reader.next();
    for (; !step.done; step = reader.next()) {
      const found = step.value;
      const fields = "reason" in found ? found.reason : fieldsOf(found, rules, proxiedDefault);
      if (fields instanceof AppError) adder.refuse(found.line, found.name, fields);
      else await adder.add(found.line, fields);
    }
    return step.value;
  } catch (error) {
    throw error instanceof ZoneFileError ? fileError(error) : error;
  }
}

function fieldsOf(
  record: ZoneFileRecord,
  rules: RecordRules,
  proxiedDefault: boolean,
): RecordFields | AppError {
  try {
    return parseRecord(toBody(record, rules, proxiedDefault), rules);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function toBody(record: ZoneFileRecord, rules: RecordRules, proxiedDefault: boolean): DnsRecordBody {
  return {
    ...record,
    ttl: record.ttl === 1 ? 1 : Math.min(Math.max(record.ttl, rules.ttlMin), ttlMax),
    proxied: record.proxied ?? (proxiedDefault && rules.isProxiable(record.type, record.content)),
  };
}

/** In any case of letters: some clients write their language's `True`. */
function parseProxiedField(text = "false"): boolean {
  const value = text.toLowerCase();
  if (value === "" || value === "false") return false;
  if (value === "true") return true;
  throw invalidBody("/proxied", "must be true or false");
}

function fileError({ line, code = errorCodes.dnsRecords.invalidZoneFile, message }: ZoneFileError): AppError {
  const text = `Line ${line}: ${message}`;
  return new AppError("invalid", code, text, { pointer: "/file", chain: [{ code, message: text }] });
}
