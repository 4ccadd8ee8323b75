import {
  contentLength,
  findConflict,
  identicalRecord,
  type TypesAtName,
} from "../../../../src/core/dns/content/name-conflicts.ts";
import { toAsciiName } from "../../../../src/core/dns/content/name.ts";
import { wireIdentity } from "../../../../src/core/dns/content/rdata.ts";
import { readEachEntry, type ZoneFileRecord } from "../../../../src/core/dns/zone-file/parse.ts";
import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import { plainText } from "../../api/api-error.ts";

/** The effect of importing a zone file; each list in the order of the file. */
export interface ImportPreview {
  readonly added: readonly ZoneFileRecord[];
  /** Records that the zone has already, or that the file has twice: they are passed over. */
  readonly kept: readonly PassedOver[];
  readonly conflicts: readonly ImportConflict[];
  readonly bad: readonly BadLine[];
  /** The SOA record and the NS records of the zone's own name: every zone has its own. */
  readonly ownCount: number;
}

interface PassedOver {
  readonly record: ZoneFileRecord;
  /** The message of the import. */
  readonly reason: string;
}

/** A record that cannot stand beside records of the zone. */
export interface ImportConflict extends PassedOver {
  readonly with: readonly DnsRecord[];
}

/** A part of the file that cannot be imported. */
export interface BadLine {
  /** From 1. */
  readonly line: number;
  /** Its text; several lines where parentheses join them. */
  readonly text: string;
  readonly reason: string;
  /** Nothing of a file with such a line is imported; other bad lines are passed over. */
  readonly stops: boolean;
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
    const kept: PassedOver[] = [];
    const conflicts: ImportConflict[] = [];
    const bad: BadLine[] = [];
    const ofFile = new Set<string>();
    let recordCount = 0;
    const typesOfFile = new Map<string, Map<string, number>>();
    const reader = readEachEntry(text, { zoneName: this.#zoneName, ttlDefault: 1 });
    let step = reader.next();
    for (; !step.done; step = reader.next()) {
      yield;
      const { record, refused, error, lastLine } = step.value;
      const addBad = (line: number, reason: string, stops: boolean): void => {
        const lineText = lines.slice(line - 1, lastLine).join("\n");
        // One line may make many records.
        if (bad.at(-1)?.line !== line) bad.push({ line, text: lineText, reason: plainText(reason), stops });
      };
      if (error !== undefined) addBad(error.line, error.message, true);
      if (refused !== undefined) {
        recordCount += 1;
        addBad(refused.line, messageOf(refused.name, refused.reason), false);
      }
      if (record === undefined) continue;
      recordCount += 1;
      const { type, name, content, line } = record;
      const identity = wireIdentity(type, name, record);
      if (identities.has(identity) || ofFile.has(identity)) {
        kept.push({ record, reason: messageOf(name, identicalRecord()) });
        continue;
      }
      const ofZone = byName.get(name) ?? [];
      const types = typesOfFile.get(name) ?? new Map<string, number>();
      const conflictWith = (others: TypesAtName) =>
        findConflict({ type, isAtApex: name === this.#zoneName, content }, others);
      const inFile = conflictWith(types);
      const inTheWay = ofZone.filter((other) => conflictWith(new Map([[other.type, 0]])));
      const conflict = inFile ?? conflictWith(together(types, ofZone));
      if (conflict === undefined) {
        added.push(record);
        ofFile.add(identity);
        typesOfFile.set(name, types.set(type, (types.get(type) ?? 0) + contentLength(content)));
      } else if (inFile === undefined && inTheWay.length > 0) {
        conflicts.push({ record, with: inTheWay, reason: messageOf(name, conflict) });
      } else addBad(line, messageOf(name, conflict), false);
    }
    return { added, kept, conflicts, bad, ownCount: step.value - recordCount };
  }
}

function messageOf(name: string, { message }: { readonly message: string }): string {
  return `${name}: ${message}`;
}

function together(types: TypesAtName, records: readonly DnsRecord[]): TypesAtName {
  const all = new Map(types);
  for (const { type, content } of records) all.set(type, (all.get(type) ?? 0) + contentLength(content));
  return all;
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
