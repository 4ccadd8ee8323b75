import { mkdirSync, rmSync, statSync, chmodSync, closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";

import type { Logger } from "pino";

import { createPause } from "../../operation/pause.ts";
import type { NamedZone } from "../../resources/zone-documents/zone-documents.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { Sealed } from "../../storage/schema/table.ts";

/** The kinds of documents that are kept; of the installation there is one. */
type Kind = "zone" | "account" | "list" | "installation";

/** The format of the tables; a file of another one is begun anew. */
const format = "2";
/** Edges that share a file write for some milliseconds. */
const lockWaitMs = 100;
const rowsAtOnce = 500;
/** Characters that take less time to compress than another thread takes to begin. */
const compressedAtOnceMax = 16_384;

const deflate = promisify(deflateRaw);

const schema = `
  create table facts (name text primary key, value text not null) without rowid;
  create table documents (
    kind text not null, id text not null, version text not null, label text, sealed text not null,
    primary key (kind, id)
  ) without rowid;
  create table names (
    zone_id text not null, number integer not null, version integer not null, sealed text not null,
    primary key (zone_id, number)
  ) without rowid;
`;

/**
 * A SQLite file with the documents that an edge read last: zones with their names, accounts, lists. Each is JSON,
 * compressed and encrypted with the secret key; in clear are ids and versions. Documents are read one by one, when
 * they are asked for. Edges on one database may share a file: each writes what it reads. Every method may throw
 * what SQLite throws; a file of another format is replaced.
 */
export class EdgeSnapshot {
  readonly #file: string;
  readonly #secretBox: SecretBox;
  readonly #logger: Pick<Logger, "error">;
  #database: DatabaseSync | undefined;
  #inode: number | undefined;
  #isFailing = false;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, secretBox: SecretBox, logger: Pick<Logger, "error">) {
    this.#file = file;
    this.#secretBox = secretBox;
    this.#logger = logger;
  }

  /** The time at which the documents were last known to equal the store; undefined where nothing is kept. */
  get asOf(): Date | undefined {
    const [row] = this.#all<{ value: string }>("select value from facts where name = 'confirmed'");
    return row === undefined ? undefined : new Date(row.value);
  }

  /** Notes that what is kept equals the store now, and encrypts it with the secret key that is in force. */
  async confirm(now: Date): Promise<void> {
    this.#note("confirmed", now.toISOString());
    const [row] = this.#all<{ value: string }>("select value from facts where name = 'key'");
    const mark = this.#markOfKey();
    this.#isFailing = false;
    if (row?.value === mark) return;
    await this.#reseal();
    this.#note("key", mark);
  }

  /** Whether the file is the one that was written to: it may have been deleted, or replaced by another edge's. */
  isThere(): boolean {
    return inodeOf(this.#file) === this.#inode && this.#inode !== undefined;
  }

  /** The zones of which documents are kept. Throws where the first of them cannot be decrypted. */
  zones(): NamedZone[] {
    const rows = this.#all<{ id: string; label: string }>(
      "select id, label from documents where kind = 'zone'",
    );
    return rows.flatMap(({ id, label }, at) => {
      try {
        const [name, accountId] = this.#unseal(label, `zone ${id} label`) as [string, string];
        return { id, name, accountId };
      } catch (error) {
        if (at === 0) throw error;
        this.#logger.error({ err: error, zone: id }, "what was kept of a zone cannot be read");
        return [];
      }
    });
  }

  ids(kind: Kind): string[] {
    return this.#all<{ id: string }>("select id from documents where kind = ?", kind).map(({ id }) => id);
  }

  /** The versions of those of these documents that are kept, by their ids. */
  versions(kind: Kind, ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#all<{ id: string; version: string }>(
      "select id, version from documents where kind = ? and id in (select value from json_each(?))",
      kind,
      JSON.stringify(ids),
    );
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** A document with its version; undefined where none is kept. Throws where it cannot be decrypted. */
  find(kind: Kind, id: string): { readonly version: string; readonly value: unknown } | undefined {
    const [row] = this.#all<{ version: string; sealed: string }>(
      "select version, sealed from documents where kind = ? and id = ?",
      kind,
      id,
    );
    return row && { version: row.version, value: this.#unseal(row.sealed, `${kind} ${id}`) };
  }

  /** Puts a document in the place of the one that was kept; a zone with its name and account. */
  async put(kind: Kind, id: string, version: string, value: unknown, zone?: NamedZone): Promise<void> {
    const sealed = await this.#seal(value, `${kind} ${id}`);
    const label = zone && (await this.#seal([zone.name, zone.accountId], `zone ${id} label`));
    this.#run(
      "insert or replace into documents (kind, id, version, label, sealed) values (?, ?, ?, ?, ?)",
      kind,
      id,
      version,
      label ?? null,
      sealed,
    );
  }

  /** Notes that a document, as it is kept, is of another version. */
  setVersion(kind: Kind, id: string, version: string): void {
    this.#run("update documents set version = ? where kind = ? and id = ?", version, kind, id);
  }

  remove(kind: Kind, id: string): void {
    this.#run("delete from documents where kind = ? and id = ?", kind, id);
    if (kind === "zone") this.#run("delete from names where zone_id = ?", id);
  }

  /** The names of a zone: all of them in portions, followed by the changes since; each with the version it led to. */
  *names(
    zoneId: string,
  ): Generator<{ readonly number: number; readonly version: number; readonly value: unknown }> {
    for (let after = -1; ;) {
      const [row] = this.#all<{ number: number; version: number; sealed: string }>(
        "select number, version, sealed from names where zone_id = ? and number > ? order by number limit 1",
        zoneId,
        after,
      );
      if (row === undefined) return;
      const { number, version, sealed } = row;
      yield { number, version, value: this.#unseal(sealed, `names ${zoneId} ${number}`) };
      after = number;
    }
  }

  /** The last portion or change of a zone's names, but for its names; undefined where none are kept. */
  lastNames(zoneId: string): { readonly number: number; readonly version: number } | undefined {
    const [row] = this.#all<{ number: number; version: number }>(
      "select number, version from names where zone_id = ? order by number desc limit 1",
      zoneId,
    );
    return row && { ...row };
  }

  /** Adds a portion or a change to the names of a zone; with `first`, in the place of all before that number. */
  async putNames(
    zoneId: string,
    number: number,
    version: number,
    value: unknown,
    first?: number,
  ): Promise<void> {
    const sealed = await this.#seal(value, `names ${zoneId} ${number}`);
    this.#run("begin immediate");
    try {
      this.#run(
        "insert or replace into names (zone_id, number, version, sealed) values (?, ?, ?, ?)",
        zoneId,
        number,
        version,
        sealed,
      );
      if (first !== undefined) this.#run("delete from names where zone_id = ? and number < ?", zoneId, first);
      this.#run("commit");
    } catch (error) {
      // SQLite may have rolled it back by itself.
      if (this.#database?.isTransaction === true) this.#run("rollback");
      throw error;
    }
  }

  /** Logs that something could not be written, once for all that fails until something could. */
  failed(error: unknown): void {
    if (!this.#isFailing)
      this.#logger.error({ err: error, file: this.#file }, "the snapshot of the edge could not be written");
    this.#isFailing = true;
  }

  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** Tells apart the keys that documents are encrypted with. */
  #markOfKey(): string {
    return this.#secretBox.sign("", "edge_snapshot");
  }

  async #seal(value: unknown, place: string): Promise<Sealed> {
    const text = JSON.stringify(value);
    const compressed = text.length <= compressedAtOnceMax ? deflateRawSync(text) : await deflate(text);
    return this.#secretBox.seal(compressed.toString("base64"), placeOf(place));
  }

  #unseal(sealed: string, place: string): unknown {
    const text = this.#secretBox.open(sealed as Sealed, placeOf(place));
    return JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString("utf8"));
  }

  /** Encrypts all documents with the key in force. One that no key of today opens stays: its key may come back. */
  async #reseal(): Promise<void> {
    const pause = createPause();
    const resealed = (sealed: string | null, place: string): string | undefined => {
      try {
        return sealed === null ? undefined : this.#secretBox.reseal(sealed as Sealed, placeOf(place));
      } catch {
        return undefined;
      }
    };
    for (let [kind, id] = ["", ""]; ;) {
      const rows = this.#all<{ kind: string; id: string; label: string | null; sealed: string }>(
        "select kind, id, label, sealed from documents where (kind, id) > (?, ?) order by kind, id limit ?",
        kind,
        id,
        rowsAtOnce,
      );
      for (const row of rows) {
        ({ kind, id } = row);
        const [nextLabel, nextSealed] = [
          resealed(row.label, `zone ${id} label`),
          resealed(row.sealed, `${kind} ${id}`),
        ];
        this.#run(
          "update documents set label = coalesce(?, label), sealed = coalesce(?, sealed) where kind = ? and id = ?",
          nextLabel ?? null,
          nextSealed ?? null,
          kind,
          id,
        );
        await pause();
      }
      if (rows.length < rowsAtOnce) break;
    }
    for (let [zoneId, number]: [string, number] = ["", 0]; ;) {
      const rows = this.#all<{ zone_id: string; number: number; sealed: string }>(
        "select zone_id, number, sealed from names where (zone_id, number) > (?, ?) order by zone_id, number limit ?",
        zoneId,
        number,
        rowsAtOnce,
      );
      for (const row of rows) {
        [zoneId, number] = [row.zone_id, row.number];
        const next = resealed(row.sealed, `names ${zoneId} ${number}`);
        if (next !== undefined)
          this.#run("update names set sealed = ? where zone_id = ? and number = ?", next, zoneId, number);
        await pause();
      }
      if (rows.length < rowsAtOnce) break;
    }
  }

  #note(name: string, value: string): void {
    this.#run("insert or replace into facts (name, value) values (?, ?)", name, value);
  }

  #all<Row>(text: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#prepared(text).all(...parameters) as Row[];
  }

  #run(text: string, ...parameters: SQLInputValue[]): void {
    this.#prepared(text).run(...parameters);
  }

  #prepared(text: string): StatementSync {
    const database = (this.#database ??= this.#open());
    const known = this.#statements.get(text) ?? database.prepare(text);
    this.#statements.set(text, known);
    return known;
  }

  #open(): DatabaseSync {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const connect = (): DatabaseSync => {
      closeSync(openSync(this.#file, "a", 0o600));
      chmodSync(this.#file, 0o600);
      const database = new DatabaseSync(this.#file, { timeout: lockWaitMs });
      try {
        takeFormat(database, this.#markOfKey());
        return database;
      } catch (error) {
        database.close();
        throw error;
      }
    };
    let database: DatabaseSync;
    try {
      database = connect();
    } catch (error) {
      if (!isForeign(error)) throw error;
      this.#logger.error(
        { err: error, file: this.#file },
        "the snapshot of the edge cannot be read, and is begun anew",
      );
      for (const end of ["", "-wal", "-shm"]) rmSync(`${this.#file}${end}`, { force: true });
      database = connect();
    }
    this.#inode = inodeOf(this.#file);
    return database;
  }
}

const placeOf = (place: string): string => `edge_snapshot ${place}`;

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

class ForeignFormat extends Error {}

/** Creates the tables in an empty file, encrypted with one key. Throws ForeignFormat where others are there. */
function takeFormat(database: DatabaseSync, markOfKey: string): void {
  database.exec("pragma journal_mode = wal");
  database.exec("pragma synchronous = normal");
  database.exec("begin immediate");
  const known = database.prepare("select name from sqlite_master where name = 'facts'").get();
  if (known === undefined) {
    database.exec(schema);
    const note = database.prepare("insert into facts (name, value) values (?, ?)");
    note.run("format", format);
    note.run("key", markOfKey);
  }
  const row = database.prepare("select value from facts where name = 'format'").get();
  database.exec("commit");
  if (row?.["value"] !== format) throw new ForeignFormat(`the file has the format ${String(row?.["value"])}`);
}

/** The codes of SQLite for a file that is none of its databases, or is damaged (https://sqlite.org/rescode.html). */
const foreignCodes: ReadonlySet<unknown> = new Set([11, 26]);

function isForeign(error: unknown): boolean {
  return error instanceof ForeignFormat || foreignCodes.has((error as { readonly errcode?: number }).errcode);
}
