import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { Logger } from "pino";

import type { SecretBox } from "../secrets/secret-box.ts";
import type { Sealed } from "../storage/columns.ts";

/** The entries of a snapshot, by key. */
export interface KeptSnapshot {
  readonly keys: readonly string[];
  /** Decrypts and parses an entry. Throws what decrypting throws. */
  readonly open: (key: string) => unknown;
  /** When it was last known to equal the store. */
  readonly asOf: Date;
}

/** Bytes appended to the last whole snapshot before a new whole one is written. */
const bytesBeyondMin = 16 * 1024 * 1024;
const confirmMs = 5_000;

const lineOf = (key: string, sealed: string): string => `${key} ${sealed};\n`;

const placeOf = (key: string): string => `edge_snapshot ${key}`;

/**
 * A file with the last good snapshot of an edge: one line per entry, with its key and its value (JSON),
 * compressed and encrypted with the secret key. Later lines replace earlier ones; `key -` removes. An
 * incomplete last line lacks its final semicolon and is ignored. A whole snapshot is written beside the file,
 * and replaces it once it is on disk.
 */
export class EdgeSnapshot {
  readonly #file: string;
  readonly #secretBox: SecretBox;
  readonly #logger: Logger;
  #handle: FileHandle | undefined;
  /** A whole snapshot that is being written. */
  #next: FileHandle | undefined;
  #wholeBytes = 0;
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #confirmedMs = 0;
  #isFailing = false;

  constructor(file: string, secretBox: SecretBox, logger: Logger) {
    this.#file = file;
    this.#secretBox = secretBox;
    this.#logger = logger;
  }

  /** Undefined without a snapshot. Throws what reading throws. */
  async read(): Promise<KeptSnapshot | undefined> {
    const facts = await stat(this.#file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (facts === undefined) return undefined;
    const lines = await this.#lastLines();
    return {
      keys: [...lines.keys()],
      asOf: facts.mtime,
      open: (key) => {
        const text = this.#secretBox.open((lines.get(key) ?? "") as Sealed, placeOf(key));
        return JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString("utf8"));
      },
    };
  }

  /** Begins a whole snapshot: until `endWhole`, entries go into it. */
  async beginWhole(): Promise<void> {
    await this.#inTurn(async () => {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#next = await open(`${this.#file}.new`, "w", 0o600);
      this.#bytes = 0;
    });
  }

  /** Replaces the earlier snapshot by the whole one. */
  async endWhole(): Promise<void> {
    await this.#inTurn(async () => {
      const next = this.#next;
      this.#next = undefined;
      if (next === undefined) return;
      await next.sync();
      await rename(`${this.#file}.new`, this.#file);
      await this.#handle?.close();
      this.#handle = next;
      this.#wholeBytes = this.#bytes;
    });
  }

  /** Discards a whole snapshot that was begun. */
  async dropWhole(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#next?.close();
      this.#next = undefined;
      await rm(`${this.#file}.new`, { force: true });
    });
  }

  put(key: string, value: unknown): void {
    const text = deflateRawSync(JSON.stringify(value)).toString("base64");
    this.#append(lineOf(key, this.#secretBox.seal(text, placeOf(key))));
  }

  remove(key: string): void {
    this.#append(lineOf(key, "-"));
  }

  /** Notes that the snapshot equals the store now. */
  confirm(now: Date): void {
    if (now.getTime() - this.#confirmedMs < confirmMs) return;
    this.#confirmedMs = now.getTime();
    void this.#inTurn(() => utimes(this.#file, now, now));
  }

  async close(): Promise<void> {
    await this.dropWhole();
    await this.#inTurn(async () => this.#handle?.close());
  }

  #append(line: string): void {
    void this.#inTurn(async () => {
      const handle = this.#next ?? (this.#handle ??= await this.#openToAppend());
      await handle.appendFile(line);
      this.#bytes += line.length;
      const isGrown = this.#bytes > 2 * this.#wholeBytes + bytesBeyondMin;
      if (this.#next === undefined && isGrown) await this.#rewrite();
    });
  }

  /** The last line may have been cut short. */
  async #openToAppend(): Promise<FileHandle> {
    const handle = await open(this.#file, "a", 0o600);
    await handle.appendFile("\n");
    return handle;
  }

  /** Writes the file without replaced lines. */
  async #rewrite(): Promise<void> {
    const next = await open(`${this.#file}.new`, "w", 0o600);
    let bytes = 0;
    for (const [key, sealed] of await this.#lastLines()) {
      const line = lineOf(key, sealed);
      await next.appendFile(line);
      bytes += line.length;
    }
    await next.sync();
    await rename(`${this.#file}.new`, this.#file);
    await this.#handle?.close();
    this.#handle = next;
    this.#bytes = bytes;
    this.#wholeBytes = bytes;
  }

  async #lastLines(): Promise<Map<string, string>> {
    const last = new Map<string, string>();
    const input = createReadStream(this.#file, "latin1");
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const [, key, sealed] = /^(\S+) (\S+);$/.exec(line) ?? [];
      if (key === undefined || sealed === undefined) continue;
      if (sealed === "-") last.delete(key);
      else last.set(key, sealed);
    }
    return last;
  }

  /**
   * Runs one write after another. A failed one leaves an older snapshot, which is still complete for each
   * zone.
   */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).then(
      () => {
        this.#isFailing = false;
      },
      (error: unknown) => {
        const message = "the snapshot of the edge could not be written";
        if (!this.#isFailing) this.#logger.error({ err: error, file: this.#file }, message);
        this.#isFailing = true;
      },
    );
    return this.#writing;
  }
}
