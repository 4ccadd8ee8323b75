import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { compileRules } from "../core/seclang/compile.ts";
import type { RuleSet } from "../core/seclang/evaluate/rule-set.ts";
import type { RuleFile } from "../core/seclang/parse/directives.ts";
import { SecLangError } from "../core/seclang/parse/seclang-error.ts";
import { createRulePatterns } from "./rule-patterns.ts";

/** A directory that is no release of the OWASP Core Rule Set. */
export class RuleDirectoryError extends Error {
  override readonly name = "RuleDirectoryError";
}

/** Where Debian's package `modsecurity-crs` puts the set-up of the rules in `/usr/share/modsecurity-crs`. */
const debianSetup = { directory: "/usr/share/modsecurity-crs", file: "/etc/modsecurity/crs/crs-setup.conf" };

/**
 * Reads and compiles a release of the OWASP Core Rule Set: a directory with `rules/*.conf` and `crs-setup.conf` or its
 * example. Throws RuleDirectoryError where these are missing, SecLangError for what is wrong in a file.
 */
export function readRuleDirectory(directory: string): RuleSet {
  const rules = join(directory, "rules");
  if (!existsSync(rules)) throw new RuleDirectoryError(`${directory} has no folder "rules"`);
  const names = readdirSync(rules).filter((name) => name.endsWith(".conf"));
  if (names.length === 0) throw new RuleDirectoryError(`${rules} has no file that ends in .conf`);
  const paths = [findSetup(directory), ...names.toSorted().map((name) => join(rules, name))];
  return compileRules(paths.map(readRuleFile), {
    patterns: createRulePatterns(),
    sha1: (bytes) => createHash("sha1").update(bytes, "latin1").digest().toString("latin1"),
    readData: (place, name) => {
      const path = join(dirname(place.file), basename(name));
      try {
        return readFileSync(path, "latin1");
      } catch {
        throw new SecLangError(place, `${path} cannot be read`);
      }
    },
  });
}

function findSetup(directory: string): string {
  const places = [join(directory, "crs-setup.conf"), join(directory, "crs-setup.conf.example")];
  if (join(directory) === debianSetup.directory) places.unshift(debianSetup.file);
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new RuleDirectoryError(`${directory} has no crs-setup.conf`);
  return found;
}

function readRuleFile(path: string): RuleFile {
  return { name: path, text: readFileSync(path, "latin1") };
}
