import { isProxiable } from "../../core/dns/rdata.ts";
import { readZoneFile, type ZoneFileRecord } from "../../core/dns/zone-file/parse.ts";
import { ZoneFileError } from "../../core/dns/zone-file/zone-file-error.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import type { FormBody } from "../../core/forms/multipart.ts";
import { readUpload, textOfFile } from "../../core/forms/upload.ts";
import type { Task, TaskCaller } from "../../operation/task.ts";
import { zoneUnitOfWork } from "../../operation/zone-unit-of-work.ts";
import { addRecords, type BulkAdder } from "./bulk.ts";
import {
  parseRecord,
  recordRules,
  ttlMax,
  type DnsContext,
  type RecordFields,
  type RecordRules,
} from "./record.ts";
import type { DnsRecordBody, ImportResult } from "./schema.ts";

export const zoneFileBytesMax = 8 * 1024 * 1024;

/** What is done where it was asked for: some two thousand of the shortest records. */
const smallBytesMax = 16 * 1024;

interface ZoneFileForm {
  readonly zoneId: string;
  /** Field `file`; and `proxied`: whether records that can be proxied are, where the file does not say it itself. */
  readonly form: FormBody;
}

/**
 * Adds the records of a BIND zone file, all or none; a large file is read in a worker. A record that the zone has already
 * is passed over; SOA and the NS records of the apex are the zone's own. A TTL outside of the plan's bounds becomes the
 * nearest one inside.
 * Errors: those of `readUpload`, 400 code 9350 (or that of the record's error) with the number of the first bad line,
 * 413 code 10413 for a file above 8 MiB, 404 code 1001.
 */
export const importDnsRecordsTask: Task<DnsContext, ZoneFileForm, ImportResult> = {
  name: "importDnsRecords",
  isSmall: ({ form }) => form.bytes.length <= smallBytesMax,
  isBrief: false,
  handsOver: ({ form }) => [form.bytes.buffer],
  run: importZoneFile,
};

async function importZoneFile(
  context: DnsContext,
  caller: TaskCaller,
  { zoneId, form }: ZoneFileForm,
): Promise<ImportResult> {
  const upload = readUpload(form);
  if (upload.file.length > zoneFileBytesMax) {
    throw new AppError(
      "too-large",
      errorCodes.request.bodyTooLarge,
      `The zone file exceeds ${zoneFileBytesMax} bytes`,
      { pointer: "/file" },
    );
  }
  const proxiedDefault = parseProxiedField(upload.fields["proxied"]);
  const file = textOfFile(upload.file);
  return zoneUnitOfWork(context, caller, zoneId, (work) =>
    addRecords(work, "rec_import", (adder) =>
      addEach(adder, readRecords(file, recordRules(work.zone, context), proxiedDefault)),
    ),
  );
}

interface RecordOfLine {
  readonly line: number;
  readonly fields: RecordFields;
}

/** The records of a file; returns how many it has, SOA and NS of the apex included. Throws for the first bad line. */
function* readRecords(
  file: string,
  rules: RecordRules,
  proxiedDefault: boolean,
): Generator<RecordOfLine, number, undefined> {
  const records = readZoneFile(file, { zoneName: rules.zoneName, ttlDefault: 1 });
  let line = 0;
  try {
    let step = records.next();
    for (; !step.done; step = records.next()) {
      line = step.value.line;
      yield { line, fields: parseRecord(toBody(step.value, rules, proxiedDefault), rules) };
    }
    return step.value;
  } catch (error) {
    if (error instanceof ZoneFileError) throw lineError(error.line, error);
    throw error instanceof AppError ? lineError(line, error) : error;
  }
}

async function addEach(
  adder: BulkAdder,
  records: Generator<RecordOfLine, number, undefined>,
): Promise<number> {
  try {
    let step = records.next();
    for (; !step.done; step = records.next()) {
      const { line, fields } = step.value;
      await adder.add(fields, (conflict) => {
        throw lineError(line, conflict);
      });
    }
    return step.value;
  } catch (error) {
    // Conflicts only show when a portion is stored: one further up in the file comes first.
    if (error instanceof AppError) await adder.flush();
    throw error;
  }
}

function toBody(record: ZoneFileRecord, rules: RecordRules, proxiedDefault: boolean): DnsRecordBody {
  return {
    ...record,
    ttl: record.ttl === 1 ? 1 : Math.min(Math.max(record.ttl, rules.ttlMin), ttlMax),
    proxied:
      record.proxied ?? (proxiedDefault && isProxiable(record.type, record.content, rules.mayBeOrigin)),
  };
}

/** In any case of letters: some clients write their language's `True`. */
function parseProxiedField(text = "false"): boolean {
  const value = text.toLowerCase();
  if (value === "" || value === "false") return false;
  if (value === "true") return true;
  throw invalidBody("/proxied", "must be true or false");
}

function lineError(
  line: number,
  { code = errorCodes.dnsRecords.invalidZoneFile, message }: { code?: number | undefined; message: string },
): AppError {
  const text = `Line ${line}: ${message}`;
  return new AppError("invalid", code, text, { pointer: "/file", chain: [{ code, message: text }] });
}
