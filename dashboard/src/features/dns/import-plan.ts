import { isProxiable } from "../../../../src/core/dns/proxiable.ts";
import { originRule, type OriginRule } from "../../../../src/core/net/origin-address.ts";
import { recordPrinter } from "../../../../src/core/dns/zone-file/print.ts";
import type { ZoneFileRecord } from "../../../../src/core/dns/zone-file/parse.ts";
import type { ApiCall, FileBody } from "../../api/call.ts";
import { batchDnsRecords, importDnsRecords, type DnsRecordBody } from "../../api/dns-records.ts";
import type { BadLine, ImportConflict, ImportPreview } from "./import-preview.ts";

/** What somebody has decided about the lines of a file that cannot be imported as they are. */
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

/** What comes of a file with the choices that were made. */
export interface ImportPlan {
  /** What is added. */
  readonly records: readonly ZoneFileRecord[];
  /** Bad lines for which nothing has been decided. */
  readonly undecided: readonly BadLine[];
  /** Records of the zone that go. */
  readonly deletes: readonly { readonly id: string }[];
  readonly call: () => ApiCall<unknown>;
}

const publicAddresses = originRule([]);

/**
 * Plans the import of a file: of all of it, or of a file with the records that stay of it where something is left out. Where
 * records of the zone are replaced it is a batch, so that they go only if all others come. `mayBeOrigin` says which addresses
 * are proxied in a batch; of a file, the server knows.
 */
export function planImport(
  zoneId: string,
  file: FileBody["file"],
  { added, kept, conflicts, bad }: ImportPreview,
  { skipped, replaced, isProxied }: ImportChoices,
  mayBeOrigin: OriginRule = publicAddresses,
): ImportPlan {
  const replacing = conflicts.filter((conflict) => replaced.has(keyOfConflict(conflict)));
  const records = [...added, ...replacing.map(({ record }) => record)];
  const ids = new Set(replacing.flatMap((conflict) => conflict.with.map(({ id }) => id)));
  const deletes = Array.from(ids, (id) => ({ id }));
  const isWhole = bad.length === 0 && conflicts.length === 0;
  const bodyOf = (record: ZoneFileRecord): DnsRecordBody =>
    bodyWith(record, record.proxied ?? (isProxied && isProxiable(record.type, record.content, mayBeOrigin)));
  return {
    records,
    undecided: bad.filter((line) => !skipped.has(keyOfBadLine(line))),
    deletes,
    call: () =>
      deletes.length > 0
        ? batchDnsRecords(zoneId, { deletes, posts: records.map(bodyOf) })
        : importDnsRecords(
            zoneId,
            isWhole ? file : { ...file, text: printed([...added, ...kept]) },
            isProxied,
          ),
  };
}

/** A part of a file that was not added, and why. */
export interface LeftOut {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** What an import left out, in the order of the file. */
export function leftOutOf(
  { kept, conflicts, bad }: ImportPreview,
  { replaced }: Pick<ImportChoices, "replaced">,
): readonly LeftOut[] {
  const text = ({ type, name, content }: ZoneFileRecord): string => `${type} ${name} ${content}`;
  return [
    ...bad,
    ...kept.map((record) => ({ line: record.line, text: text(record), reason: "It was there already." })),
    ...conflicts
      .filter((conflict) => !replaced.has(keyOfConflict(conflict)))
      .map(({ record }) => ({
        line: record.line,
        text: text(record),
        reason: "It cannot stand beside what the zone has.",
      })),
  ].toSorted((one, other) => one.line - other.line);
}

function printed(records: readonly ZoneFileRecord[]): string {
  const { print } = recordPrinter();
  const inOrder = records.toSorted((one, other) => one.line - other.line);
  return inOrder
    .map((record) =>
      print({
        ...record,
        comment: record.comment ?? null,
        tags: record.tags ?? [],
        settings: { ...record.settings },
      }),
    )
    .join("");
}

const ttlMin = 60;
const ttlMax = 86_400;

/** As the import of a file would add it: a TTL out of bounds becomes the nearest one inside. */
function bodyWith(record: ZoneFileRecord, proxied: boolean): DnsRecordBody {
  const { type, name, content, priority, comment, tags, settings } = record;
  const ttl = proxied || record.ttl === 1 ? 1 : Math.min(Math.max(record.ttl, ttlMin), ttlMax);
  return { type, name, content, priority, ttl, proxied, comment, tags, settings };
}
