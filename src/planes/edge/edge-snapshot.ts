import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { deflateRaw, inflateRawSync } from "node:zlib";

import type { Logger } from "pino";

import type { SecretBox } from "../../secrets/secret-box.ts";
import type { Sealed } from "../../storage/schema/table.ts";

/** The entries of a snapshot, by key. */
export interface KeptSnapshot {
  readonly keys: ReadonlySet<string>;
  /** Decrypts and parses an entry. Throws what decrypting throws. */
  readonly open: (key: string) => unknown;
  /** When it was last known to equal the store. */
  readonly asOf: Date;
}

/** What is to be written under a key; undefined removes it. */
type Entry = { readonly value: unknown } | undefined;

/** Bytes beyond twice those of the entries at which the file is written anew. */
const bytesBeyondMin = 16 * 1024 * 1024;
const writeBytes = 1024 * 1024;
const retryMs = 5_000;
/** After this time, nobody writes to a file that was to replace the snapshot. */
const leftOverMs = 60 * 60 * 1_000;
/** The entry with the time at which all before it equalled the store. */
const confirmedKey = "confirmed";

const deflate = promisify(deflateRaw);

const lineOf = (key: string, sealed: string): string => `${key} ${sealed};\n`;

const placeOf = (key: string): string => `edge_snapshot ${key}`;

/**
 * A file with the last good snapshot of an edge: one line per entry, with its key and its value (JSON),
 * compressed and encrypted with the secret key. Later lines replace earlier ones; `key -` removes. An
 * incomplete line lacks its final semicolon and is ignored. What cannot be written waits in memory, and is tried
 * again in the order in which it was put. Now and then the file is written anew beside the other, and replaces
 * it once it is on disk. Edges on one database may share a file: each appends what it reads.
 */
export class EdgeSnapshot {
  readonly #file: string;
  readonly #secretBox: SecretBox;
  readonly #logger: Logger;
  readonly #waiting = new Map<string, Entry>();
  #handle: FileHandle | undefined;
  #bytes = 0;
  /** Of the file when it was written anew. */
  #wholeBytes: number | undefined;
  #mayStay: (key: string) => boolean = () => true;
  #isToRewrite = false;
  /** Differs for each secret key. */
  #keyMark: string | undefined;
  #working: Promise<void> = Promise.resolve();
  #isWriting = false;
  #isFailing = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(file: string, secretBox: SecretBox, logger: Logger) {
    this.#file = file;
    this.#secretBox = secretBox;
    this.#logger = logger;
  }

  /** Undefined without a snapshot. Throws what reading throws. */
  async read(): Promise<KeptSnapshot | undefined> {
    const facts = await this.#facts();
    if (facts === undefined) return undefined;
    const lines = await lastLines(createReadStream(this.#file, "latin1"));
    const openOne = (key: string): unknown => {
      const text = this.#secretBox.open((lines.get(key) ?? "") as Sealed, placeOf(key));
      return JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString("utf8"));
    };
    const asOf = (): Date => {
      try {
        return new Date(openOne(confirmedKey) as string);
      } catch {
        return facts.mtime;
      }
    };
    return { keys: new Set(lines.keys()), asOf: asOf(), open: openOne };
  }

  put(key: string, value: unknown): void {
    this.#add(key, { value });
  }

  remove(key: string): void {
    this.#add(key, undefined);
  }

  /** Notes that what was put, with what was there before, equals the store now. */
  confirm(now: Date): void {
    this.put(confirmedKey, now);
  }

  /** Writes the file anew; from now on, without what may not stay. */
  tidy(mayStay: (key: string) => boolean): void {
    this.#mayStay = (key) => key === confirmedKey || mayStay(key);
    this.#isToRewrite = true;
    this.#wake();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#inTurn(() => this.#writeAll());
    await this.#inTurn(() => this.#leaveFile());
    clearTimeout(this.#retry);
  }

  #add(key: string, entry: Entry): void {
    // Moved to the end: nothing may be on disk before what was put earlier.
    this.#waiting.delete(key);
    this.#waiting.set(key, entry);
    this.#wake();
  }

  #wake(): void {
    if (this.#isWriting || this.#retry !== undefined) return;
    if (this.#waiting.size === 0 && !this.#isToRewrite) return;
    this.#isWriting = true;
    void this.#inTurn(() => this.#writeAll()).then(() => {
      this.#isWriting = false;
      this.#wake();
    });
  }

  async #writeAll(): Promise<void> {
    const keyMark = this.#secretBox.sign("", "edge_snapshot");
    if (this.#keyMark !== undefined && this.#keyMark !== keyMark) this.#isToRewrite = true;
    this.#keyMark = keyMark;
    while (this.#waiting.size > 0) await this.#writeSome();
    if (this.#bytes > 2 * (this.#wholeBytes ?? 0) + bytesBeyondMin) this.#isToRewrite = true;
    if (this.#isToRewrite) await this.#rewrite(await this.#openFile());
    this.#isFailing = false;
  }

  async #writeSome(): Promise<void> {
    const written = new Map<string, Entry>();
    let text = "";
    for (const [key, entry] of this.#waiting) {
      text += lineOf(key, entry === undefined ? "-" : await this.#seal(key, entry.value));
      written.set(key, entry);
      if (text.length >= writeBytes) break;
    }
    const handle = await this.#openFile();
    await handle.appendFile(text);
    this.#bytes += text.length;
    for (const [key, entry] of written) {
      if (this.#waiting.get(key) === entry) this.#waiting.delete(key);
    }
  }

  async #seal(key: string, value: unknown): Promise<Sealed> {
    const text = await deflate(JSON.stringify(value));
    return this.#secretBox.seal(text.toString("base64"), placeOf(key));
  }

  /** The file, to append to it. */
  async #openFile(): Promise<FileHandle> {
    const facts = await this.#facts();
    if (this.#handle !== undefined) {
      if (facts === undefined) return this.#rewrite(this.#handle);
      const own = await this.#handle.stat();
      if (own.ino === facts.ino && own.dev === facts.dev) return this.#handle;
      // Another edge has replaced it.
      await this.#leaveFile();
    }
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#handle = await open(this.#file, "a+", 0o600);
    await this.#handle.chmod(0o600);
    // The last line may have been cut short.
    await this.#handle.appendFile("\n");
    this.#bytes = facts?.size ?? 0;
    this.#wholeBytes ??= this.#bytes;
    return this.#handle;
  }

  /** Writes what `from` has without replaced lines, encrypted with the secret key that is in force. */
  async #rewrite(from: FileHandle): Promise<FileHandle> {
    const lines = await lastLines(from.createReadStream({ start: 0, autoClose: false, encoding: "latin1" }));
    const nextFile = `${this.#file}.${randomBytes(8).toString("hex")}.new`;
    const next = await open(nextFile, "ax+", 0o600);
    try {
      let text = "";
      for (const [key, sealed] of lines) {
        if (!this.#mayStay(key)) continue;
        text += lineOf(key, this.#reseal(key, sealed));
        if (text.length < writeBytes) continue;
        await next.appendFile(text);
        text = "";
      }
      await next.appendFile(text);
      await next.sync();
      const { size } = await next.stat();
      await rename(nextFile, this.#file);
      await this.#leaveFile();
      this.#handle = next;
      this.#bytes = size;
      this.#wholeBytes = size;
      this.#isToRewrite = false;
    } catch (error) {
      await next.close();
      await rm(nextFile, { force: true });
      throw error;
    }
    await this.#removeLeftOvers();
    return next;
  }

  /** What no key of today opens stays as it is: its key may come back. */
  #reseal(key: string, sealed: string): string {
    try {
      return this.#secretBox.reseal(sealed as Sealed, placeOf(key)) ?? sealed;
    } catch {
      return sealed;
    }
  }

  /** Removes what processes left that ended while they wrote a file. */
  async #removeLeftOvers(): Promise<void> {
    const directory = dirname(this.#file);
    for (const name of await readdir(directory)) {
      if (!name.startsWith(`${basename(this.#file)}.`) || !name.endsWith("new")) continue;
      const path = join(directory, name);
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > leftOverMs) await rm(path, { force: true });
    }
  }

  async #leaveFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #facts() {
    try {
      return await stat(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Runs one after another. After a failure the file is opened anew, and what waits is tried again a little later. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(work).catch(async (error: unknown) => {
      const message = "the snapshot of the edge could not be written";
      if (!this.#isFailing) this.#logger.error({ err: error, file: this.#file }, message);
      this.#isFailing = true;
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.#wake();
      }, retryMs).unref();
    });
    return this.#working;
  }
}

/** The last line of each key, sealed. */
async function lastLines(input: Readable): Promise<Map<string, string>> {
  const last = new Map<string, string>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const [, key, sealed] = /^(\S+) (\S+);$/.exec(line) ?? [];
    if (key === undefined || sealed === undefined) continue;
    if (sealed === "-") last.delete(key);
    else last.set(key, sealed);
  }
  return last;
}
