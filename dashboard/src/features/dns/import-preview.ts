import { findConflict } from "../../../../src/core/dns/name-conflicts.ts";
import { toAsciiName } from "../../../../src/core/dns/name.ts";
import { wireIdentity, type RecordType } from "../../../../src/core/dns/rdata.ts";
import { readEachEntry, type ZoneFileRecord } from "../../../../src/core/dns/zone-file/parse.ts";
import { plainText } from "../../api/api-error.ts";
import type { DnsRecord } from "../../api/dns-records.ts";

/** What importing a zone file would do; each list in the order of the file. */
export interface ImportPreview {
  readonly added: readonly ZoneFileRecord[];
  /** Records that the zone has already, or that the file has twice: they are passed over. */
  readonly kept: readonly ZoneFileRecord[];
  readonly conflicts: readonly ImportConflict[];
  readonly bad: readonly BadLine[];
  /** The SOA record and the NS records of the zone's own name: every zone has its own. */
  readonly ownCount: number;
}

/** A record that cannot stand beside records of the zone. */
export interface ImportConflict {
  readonly record: ZoneFileRecord;
  readonly with: readonly DnsRecord[];
}

/** A part of the file that cannot be imported. */
export interface BadLine {
  /** From 1. */
  readonly line: number;
  /** Its text; several lines where parentheses join them. */
  readonly text: string;
  readonly reason: string;
}

interface KnownRecords {
  readonly identities: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly DnsRecord[]>;
}

/** Reads zone files as the server will, and compares them with the records of a zone. */
export class ImportReader {
  readonly #zoneName: string;
  readonly #records: readonly DnsRecord[];
  #known: KnownRecords | undefined;

  constructor(zoneName: string, records: readonly DnsRecord[]) {
    this.#zoneName = toAsciiName(zoneName) ?? zoneName;
    this.#records = records;
  }

  /** Yields after each small piece of the work. */
  *read(text: string): Generator<undefined, ImportPreview> {
    this.#known ??= yield* indexed(this.#records);
    const { identities, byName } = this.#known;
    const lines = text.split("\n");
    const added: ZoneFileRecord[] = [];
    const kept: ZoneFileRecord[] = [];
    const conflicts: ImportConflict[] = [];
    const bad: BadLine[] = [];
    const ofFile = new Set<string>();
    let recordCount = 0;
    const typesOfFile = new Map<string, Set<RecordType>>();
    const reader = readEachEntry(text, { zoneName: this.#zoneName, ttlDefault: 1 });
    let step = reader.next();
    for (; !step.done; step = reader.next()) {
      yield;
      const { record, error, lastLine } = step.value;
      const addBad = (line: number, reason: string): number =>
        bad.push({ line, text: lines.slice(line - 1, lastLine).join("\n"), reason: plainText(reason) });
      if (error !== undefined) addBad(error.line, error.message);
      if (record === undefined) continue;
      recordCount += 1;
      const { type, name } = record;
      const identity = wireIdentity(type, name, record);
      if (identities.has(identity) || ofFile.has(identity)) {
        kept.push(record);
        continue;
      }
      const isAtApex = name === this.#zoneName;
      const conflictWith = (types: ReadonlySet<string>) => findConflict({ type, isAtApex }, types);
      const there = (byName.get(name) ?? []).filter((other) => conflictWith(new Set([other.type])));
      const types = typesOfFile.get(name) ?? new Set();
      const inFile = conflictWith(types);
      if (inFile !== undefined)
        addBad(record.line, `A record of type ${type} cannot stand beside those of the file at ${name}.`);
      else if (there.length > 0) conflicts.push({ record, with: there });
      else {
        added.push(record);
        ofFile.add(identity);
        typesOfFile.set(name, types.add(type));
      }
    }
    return { added, kept, conflicts, bad, ownCount: step.value - recordCount };
  }
}

function* indexed(records: readonly DnsRecord[]): Generator<undefined, KnownRecords> {
  const identities = new Set<string>();
  const byName = new Map<string, DnsRecord[]>();
  for (const record of records) {
    yield;
    const { type, name, content, data, priority } = record;
    const rdata = { content, ...(data && { data }), ...(priority !== undefined && { priority }) };
    identities.add(wireIdentity(type, name, rdata));
    byName.set(name, byName.get(name) ?? []);
    byName.get(name)?.push(record);
  }
  return { identities, byName };
}
