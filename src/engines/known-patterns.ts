import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { compiledCodeDirectory } from "../files/compile-cache.ts";
import { factsOf, type PatternFacts } from "../core/seclang/patterns/pattern.ts";

/** Patterns as written, with their facts; plain data. */
export type PatternEntries = readonly (readonly [written: string, facts: PatternFacts])[];

/** The facts of the patterns of rules. Facts that were found before need not be found again. */
export class KnownPatterns {
  readonly #known: ReadonlyMap<string, PatternFacts>;
  readonly #used = new Map<string, PatternFacts>();
  #found = 0;

  constructor(known: PatternEntries = []) {
    this.#known = new Map(known);
  }

  /** Throws PatternError. */
  readonly factsOf = (written: string): PatternFacts => {
    const used = this.#used.get(written);
    if (used !== undefined) return used;
    const known = this.#known.get(written);
    const facts = known ?? factsOf(written);
    if (known === undefined) this.#found += 1;
    this.#used.set(written, facts);
    return facts;
  };

  get used(): PatternEntries {
    return [...this.#used];
  }

  get found(): number {
    return this.#found;
  }
}

/** The name of this module: in the bundle it changes with the code that finds the facts. */
const program = basename(import.meta.filename);

/**
 * The directory in which the bundle keeps patterns, beside the code that Node.js keeps compiled for the next
 * start. Undefined for sources, and where Node.js keeps nothing, or others can write.
 */
export const keptPatternsDirectory = (): string | undefined =>
  program.endsWith(".js") ? compiledCodeDirectory() : undefined;

const fileIn = (directory: string): string =>
  join(directory, `core-rule-patterns-${basename(program, ".js")}.json`);

const checksumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Reads the file that `keepPatterns` wrote in a directory; returns nothing where it is missing, unreadable or damaged.
 */
export async function readKeptPatterns(directory: string): Promise<PatternEntries> {
  const text = await readFile(fileIn(directory), "utf8").catch(() => "");
  const [checksum = "", entries = ""] = text.split("\n", 2);
  return checksum === checksumOf(entries) ? (JSON.parse(entries) as PatternEntries) : [];
}

/**
 * Replaces the file of kept patterns: a line with the SHA-256 of the other line, which is JSON. Throws the
 * errors of writing.
 */
export async function keepPatterns(directory: string, entries: PatternEntries): Promise<void> {
  const text = JSON.stringify(entries);
  const file = fileIn(directory);
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, `${checksumOf(text)}\n${text}`, { mode: 0o600 });
    await rename(written, file);
  } finally {
    await rm(written, { force: true });
  }
}
