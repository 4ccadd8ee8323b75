import { createHash } from "node:crypto";

import { createCoreRules, type CoreRules } from "../core/judging/core-rules.ts";
import { builtInCoreRule } from "../core/judging/managed-rulesets.ts";
import type { RuleSet } from "../core/seclang/evaluate/rule.ts";
import { KnownPatterns, type PatternEntries } from "./known-patterns.ts";
import { compileRelease, type ReleaseFiles } from "./rule-directory.ts";

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
