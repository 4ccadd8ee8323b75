import type { Logger } from "pino";
import type { CoreRules } from "../core/judging/core-rules.ts";
import { SecLangError } from "../core/seclang/parse/directives.ts";
import type { SharedRelease } from "../engines/crs-release.ts";
import { createPause } from "../operation/pause.ts";
import { explainFailure } from "./open-store.ts";
import type { Timers } from "./timer.ts";

interface Loaded {
  readonly rules: CoreRules;
  readonly shared: SharedRelease;
}

/**
 * Follows a directory with a release of the Core Rule Set. Errors after the start are logged, and the release
 * that was read last stays in force.
 */
export class CoreRulesDirectory {
  readonly #directory: string;
  readonly #logger: Logger;
  #loaded: Loaded | undefined;
  /** Fingerprint of the files that were read last, valid or not. */
  #fingerprint = "";
  /** Empty if the files are valid. */
  #reason = "";
  #onChange: () => void = () => undefined;

  constructor(directory: string, logger: Logger) {
    this.#directory = directory;
    this.#logger = logger;
  }

  readonly rules = (): CoreRules | undefined => this.#loaded?.rules;

  readonly shared = (): SharedRelease | undefined => this.#loaded?.shared;

  /** `listener` is called after each change of the rules. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Errors: as `readRuleDirectory`. */
  async load(): Promise<void> {
    const { fingerprintOf } = await import("../engines/crs-release.ts");
    this.#fingerprint = await fingerprintOf(this.#directory);
    this.#loaded = await loadRelease(this.#directory);
  }

  async readChanged(): Promise<void> {
    const { fingerprintOf, RuleDirectoryError } = await import("../engines/crs-release.ts");
    try {
      const fingerprint = await fingerprintOf(this.#directory);
      if (fingerprint === this.#fingerprint) return;
      this.#fingerprint = fingerprint;
      this.#loaded = await loadRelease(this.#directory);
      this.#reason = "";
      this.#logger.info({ rules: this.#loaded.rules.description }, "the Core Rule Set was read again");
      this.#onChange();
    } catch (error) {
      if (!(error instanceof SecLangError) && !(error instanceof RuleDirectoryError)) throw error;
      if (error.message === this.#reason) return;
      this.#reason = error.message;
      this.#logger.error(
        { reason: error.message },
        "the Core Rule Set cannot be read; what was read last stays",
      );
    }
  }
}

interface Following {
  readonly logger: Logger;
  readonly timers: Timers;
  readonly roundMs: number;
}

/** The release of the OWASP Core Rule Set in a directory, followed until `opened` ends; undefined without one. */
export async function openCoreRules(
  opened: AsyncDisposableStack,
  directory: string | undefined,
  { logger, timers, roundMs }: Following,
): Promise<CoreRulesDirectory | undefined> {
  if (directory === undefined) return undefined;
  const followed = new CoreRulesDirectory(directory, logger);
  await explainFailure("reading the Core Rule Set", () => followed.load());
  opened.defer(timers.repeat("core rule set", roundMs, () => followed.readChanged()).stop);
  return followed;
}

async function loadRelease(directory: string): Promise<Loaded> {
  const { compileReleaseInSteps, readRelease } = await import("../engines/crs-release.ts");
  const { coreRulesOf, shareRelease } = await import("../engines/crs-release.ts");
  const { keepPatterns, KnownPatterns, keptPatternsDirectory, readKeptPatterns } =
    await import("../engines/known-patterns.ts");
  const files = await readRelease(directory);
  const cache = keptPatternsDirectory();
  const patterns = new KnownPatterns(cache === undefined ? [] : await readKeptPatterns(cache));
  const set = await compileReleaseInSteps(files, patterns, createPause());
  // A directory that is full or read-only costs time at the next start, no more.
  if (cache !== undefined && patterns.found > 0)
    await keepPatterns(cache, patterns.used).catch(() => undefined);
  return { rules: coreRulesOf(files, set), shared: shareRelease(files, patterns.used) };
}

/** The rules of a directory as they are now, for a command; undefined without one. Errors: as `readRuleDirectory`. */
export async function readCoreRules(directory: string | undefined): Promise<CoreRules | undefined> {
  return directory === undefined ? undefined : (await loadRelease(directory)).rules;
}
