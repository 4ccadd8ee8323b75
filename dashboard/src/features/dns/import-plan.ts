import { proxiableRule, type ProxiableRule } from "../../../../src/core/dns/content/proxiable.ts";
import type { ZoneFileRecord } from "../../../../src/core/dns/zone-file/parse.ts";
import { recordPrinter } from "../../../../src/core/dns/zone-file/print.ts";
import type { DnsRecordBody } from "../../../../src/resources/dns-records/schema.ts";
import { type ApiCall, call, type FileBody } from "../../api/call.ts";
import type { BadLine, ImportConflict, ImportPreview } from "./import-preview.ts";

/** Decisions about the lines of a file that cannot be imported as they are. */
export interface ImportChoices {
  /** Keys of bad lines that are left out. */
  readonly skipped: ReadonlySet<string>;
  /** Keys of records whose conflicting records of the zone are deleted. */
  readonly replaced: ReadonlySet<string>;
  /** Whether records that can be proxied are, where the file does not say it. */
  readonly isProxied: boolean;
}

export const noChoices: ImportChoices = { skipped: new Set(), replaced: new Set(), isProxied: false };

/** The same for a line as long as it is neither moved nor changed. */
export const keyOfBadLine = ({ line, text }: BadLine): string => `${line} ${text}`;

export const keyOfConflict = ({ record: { line, type, name, content } }: ImportConflict): string =>
  `${line} ${type} ${name} ${content}`;

/** The effect of a file with the decisions that were made. */
interface ImportPlan {
  readonly records: readonly ZoneFileRecord[];
  /** Lines that stop the import, and for which nothing has been decided. */
  readonly undecided: readonly BadLine[];
  /** Records of the zone that go. */
  readonly deletes: readonly { readonly id: string }[];
  readonly call: () => ApiCall<unknown>;
}

const isProxiableAnywhere = proxiableRule([]);

/**
 * Plans the import of a file: of all of it, or of a file with the records that stay of it where something is left
 * out. Where records of the zone are replaced it is a batch, so that they go only if all others come. `isProxiable`
 * says which records are proxied in a batch; of a file, the server knows.
 */
export function planImport(
  zoneId: string,
  file: FileBody["file"],
  { added, kept, conflicts, bad }: ImportPreview,
  { skipped, replaced, isProxied }: ImportChoices,
  isProxiable: ProxiableRule = isProxiableAnywhere,
): ImportPlan {
  const replacing = conflicts.filter((conflict) => replaced.has(keyOfConflict(conflict)));
  const records = [...added, ...replacing.map(({ record }) => record)];
  const ids = new Set(replacing.flatMap((conflict) => conflict.with.map(({ id }) => id)));
  const deletes = Array.from(ids, (id) => ({ id }));
  const isWhole = bad.every(({ stops }) => !stops) && conflicts.length === 0;
  const bodyOf = (record: ZoneFileRecord): DnsRecordBody =>
    bodyWith(record, record.proxied ?? (isProxied && isProxiable(record.type, record.content)));
  return {
    records,
    undecided: bad.filter((line) => line.stops && !skipped.has(keyOfBadLine(line))),
    deletes,
    call: () =>
      deletes.length > 0
        ? call("batchDnsRecords", { zone_id: zoneId }, { deletes, posts: records.map(bodyOf) })
        : call(
            "importDnsRecords",
            { zone_id: zoneId },
            {
              file: isWhole
                ? file
                : { ...file, text: printed([...added, ...kept.map(({ record }) => record)]) },
              fields: { proxied: String(isProxied) },
            },
          ),
  };
}

/** A part of a file that was not added, and why. */
export interface LeftOut {
  /** Undefined for what the server alone refuses: it does not say where it stands. */
  readonly line: number | undefined;
  readonly text: string;
  readonly reason: string;
}

/** The records that an import left out, in the order of the file, followed by those that the server refused. */
export function leftOutOf(
  { kept, conflicts, bad }: ImportPreview,
  { replaced }: Pick<ImportChoices, "replaced">,
  messages: readonly string[] = [],
): readonly LeftOut[] {
  const skipped = conflicts.filter((conflict) => !replaced.has(keyOfConflict(conflict)));
  const known = [
    ...bad,
    ...[...kept, ...skipped].map(({ record: { line, type, name, content }, reason }) => ({
      line,
      text: `${type} ${name} ${content}`,
      reason,
    })),
  ].toSorted((one, other) => one.line - other.line);
  const reasons = new Set(known.map(({ reason }) => reason));
  const others = messages.filter((message) => !reasons.has(message));
  return [...known, ...others.map((reason) => ({ line: undefined, text: "", reason }))];
}

function printed(records: readonly ZoneFileRecord[]): string {
  const { print } = recordPrinter();
  const inOrder = records.toSorted((one, other) => one.line - other.line);
  return inOrder
    .map((record) =>
      print({
        ...record,
        // The server takes an NS record of the apex for one that was added only if its zone is said.
        zone_name: record.name,
        comment: record.comment ?? null,
        tags: record.tags ?? [],
        settings: { ...record.settings },
      }),
    )
    .join("");
}

const ttlMin = 60;
const ttlMax = 86_400;

/** The body by which the import of a file adds the record: a TTL out of bounds becomes the nearest one inside. */
function bodyWith(record: ZoneFileRecord, proxied: boolean): DnsRecordBody {
  const { type, name, content, priority, comment, tags, settings } = record;
  const ttl = proxied || record.ttl === 1 ? 1 : Math.min(Math.max(record.ttl, ttlMin), ttlMax);
  return { type, name, content, priority, ttl, proxied, comment, tags, settings };
}
