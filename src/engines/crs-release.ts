import { hash, createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createCoreRules, type CoreRules } from "../core/judging/core-rules.ts";
import { builtInCoreRule } from "../core/judging/managed-rulesets.ts";
import { compileRules, compileRulesInSteps } from "../core/seclang/compile.ts";
import type { RuleSet } from "../core/seclang/evaluate/rule.ts";
import type { OperatorEnvironment } from "../core/seclang/operators/compile-operator.ts";
import { type RuleFile, SecLangError } from "../core/seclang/parse/directives.ts";
import { KnownPatterns, type PatternEntries } from "./known-patterns.ts";

/** Thrown for a directory that holds no release of the OWASP Core Rule Set. */
export class RuleDirectoryError extends Error {
  override readonly name = "RuleDirectoryError";
}

/** The files of a release; plain data. */
interface ReleaseFiles {
  /** The files in the order in which they are compiled. */
  readonly rules: readonly RuleFile[];
  /** The texts of the lists that rules name, by path. */
  readonly lists: Readonly<Record<string, string>>;
  /** The time at which the newest of them was changed, RFC 3339. */
  readonly lastUpdated: string;
}

/**
 * The place where Debian's package `modsecurity-crs` keeps the set-up of the rules in
 * `/usr/share/modsecurity-crs`.
 */
const debianSetup = { directory: "/usr/share/modsecurity-crs", file: "/etc/modsecurity/crs/crs-setup.conf" };

/**
 * Reads and compiles a release of the OWASP Core Rule Set: a directory with `rules/*.conf` and `crs-setup.conf` or
 * its example. Throws RuleDirectoryError where these are missing, SecLangError for an error in a file.
 */
export async function readRuleDirectory(directory: string): Promise<RuleSet> {
  return compileRelease(await readRelease(directory));
}

/** Reads the files of a release. Throws RuleDirectoryError where some are missing. */
export async function readRelease(directory: string): Promise<ReleaseFiles> {
  const { rules, lists } = await findFiles(directory);
  const read = async (path: string): Promise<RuleFile> => ({
    name: path,
    text: await readFile(path, "latin1"),
  });
  const texts = await Promise.all(lists.map(read));
  const times = await Promise.all([...rules, ...lists].map(async (path) => (await stat(path)).mtimeMs));
  return {
    rules: await Promise.all(rules.map(read)),
    lists: Object.fromEntries(texts.map(({ name, text }) => [name, text])),
    lastUpdated: new Date(Math.max(...times)).toISOString().replace("Z", "000Z"),
  };
}

/** A text that changes with the files of a release. Throws RuleDirectoryError where some are missing. */
export async function fingerprintOf(directory: string): Promise<string> {
  const { rules, lists } = await findFiles(directory);
  const facts = [...rules, ...lists].map(async (path) => {
    const { size, mtimeMs, ino } = await stat(path);
    return `${path} ${size} ${mtimeMs} ${ino}`;
  });
  return (await Promise.all(facts)).join("\n");
}

/** Compiles a release. Throws SecLangError. */
export function compileRelease(release: ReleaseFiles, patterns = new KnownPatterns()): RuleSet {
  return compileRules(release.rules, environmentOf(release, patterns));
}

/** Compiles a release, with other work between the steps. Throws SecLangError. */
export async function compileReleaseInSteps(
  release: ReleaseFiles,
  patterns: KnownPatterns,
  pause: () => Promise<void>,
): Promise<RuleSet> {
  const steps = compileRulesInSteps(release.rules, environmentOf(release, patterns));
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}

function environmentOf({ lists }: ReleaseFiles, { factsOf }: KnownPatterns): OperatorEnvironment {
  return {
    factsOf,
    sha1: (bytes) => hash("sha1", Buffer.from(bytes, "latin1"), "buffer").toString("latin1"),
    readData: (location, name) => {
      const path = join(dirname(location.file), basename(name));
      const text = lists[path];
      if (text === undefined) throw new SecLangError(location, `${path} cannot be read`);
      return text;
    },
  };
}

async function findFiles(directory: string): Promise<{ readonly rules: string[]; readonly lists: string[] }> {
  const folder = join(directory, "rules");
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) throw new RuleDirectoryError(`${directory} has no folder "rules"`);
  const ending = (end: string): string[] =>
    names
      .filter((name) => name.endsWith(end))
      .toSorted()
      .map((name) => join(folder, name));
  const rules = ending(".conf");
  if (rules.length === 0) throw new RuleDirectoryError(`${folder} has no file that ends in .conf`);
  return { rules: [await findSetup(directory), ...rules], lists: ending(".data") };
}

async function findSetup(directory: string): Promise<string> {
  const paths = [join(directory, "crs-setup.conf"), join(directory, "crs-setup.conf.example")];
  if (join(directory) === debianSetup.directory) paths.unshift(debianSetup.file);
  for (const path of paths) {
    const isThere = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isThere) return path;
  }
  throw new RuleDirectoryError(`${directory} has no crs-setup.conf`);
}

/** The files of a release and the facts about its patterns, for other threads, which share the memory. */
export interface SharedRelease {
  readonly checksum: string;
  readonly octets: SharedArrayBuffer;
}

interface SharedContent {
  readonly files: ReleaseFiles;
  readonly patterns: PatternEntries;
}

export function shareRelease(files: ReleaseFiles, patterns: PatternEntries): SharedRelease {
  const text = Buffer.from(JSON.stringify({ files, patterns } satisfies SharedContent));
  const octets = new SharedArrayBuffer(text.length);
  Buffer.from(octets).set(text);
  return { checksum: createHash("sha256").update(text).digest("hex"), octets };
}

/** Compiles the release that another thread shares. It cannot fail, as that thread has compiled it. */
export function openSharedRelease({ octets }: SharedRelease): CoreRules {
  const { files, patterns } = JSON.parse(Buffer.from(octets).toString()) as SharedContent;
  return coreRulesOf(files, compileRelease(files, new KnownPatterns(patterns)));
}

/**
 * The rules of a compiled release as rules of the OWASP ruleset. The id of a rule that the public service
 * does not have is made of its number.
 */
export function coreRulesOf({ lastUpdated }: ReleaseFiles, set: RuleSet): CoreRules {
  return createCoreRules({
    set,
    lastUpdated,
    builtInRule: builtInCoreRule,
    digest: (text) => createHash("sha256").update(text).digest("hex").slice(0, 32),
  });
}
