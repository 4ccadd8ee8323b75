import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import type { Costs } from "../rounds.ts";

/** An engine in a process of its own, with the rules that it judges by as Zoneward reads them. */
export interface Peer {
  readonly name: string;
  readonly rules: string;
  /** CPU microseconds of each request, after as many to warm up. */
  readonly measure: (count: number) => Costs;
}

const debianRules = "/usr/share/modsecurity-crs";

/** libmodsecurity with Debian's rules; undefined, with a notice, where either or a compiler is missing. */
export function buildLibmodsecurity(directory: string, requests: readonly RuleRequest[]): Peer | undefined {
  const program = join(directory, "libmodsecurity");
  const source = join(import.meta.dirname, "libmodsecurity.c");
  const built = spawnSync("cc", ["-O2", "-o", program, source, "-l:libmodsecurity.so.3"]);
  if (built.status !== 0 || !existsSync(debianRules)) return leaveOut("libmodsecurity");
  const includes = ["/etc/modsecurity/crs/crs-setup.conf", join(debianRules, "rules/*.conf")];
  return {
    name: "libmodsecurity",
    rules: debianRules,
    measure: measureWith(program, directory, includes, requests),
  };
}

/** Coraza with the rules of its own module; undefined, with a notice, where Go or the modules are missing. */
export function buildCoraza(directory: string, requests: readonly RuleRequest[]): Peer | undefined {
  const cwd = join(import.meta.dirname, "coraza");
  const program = join(directory, "coraza");
  const built = spawnSync("go", ["build", "-o", program, "."], { cwd });
  const module = "github.com/corazawaf/coraza-coreruleset/v4";
  const found = spawnSync("go", ["list", "-m", "-f", "{{.Dir}}", module], { cwd, encoding: "utf8" });
  if (built.status !== 0 || found.status !== 0) return leaveOut("Coraza");
  const release = join(found.stdout.trim(), "rules");
  const setup = join(release, "@crs-setup.conf.example");
  const rules = join(directory, "coraza-rules");
  mkdirSync(rules);
  symlinkSync(join(release, "@owasp_crs"), join(rules, "rules"));
  symlinkSync(setup, join(rules, "crs-setup.conf"));
  const includes = [setup, join(release, "@owasp_crs/*.conf")];
  return { name: "Coraza", rules, measure: measureWith(program, directory, includes, requests) };
}

function leaveOut(name: string): undefined {
  process.stderr.write(`crs: ${name} cannot be built here, and is left out\n`);
  return undefined;
}

function measureWith(
  program: string,
  directory: string,
  includes: readonly string[],
  requests: readonly RuleRequest[],
): (count: number) => Costs {
  const config = `${program}.conf`;
  const file = join(directory, "requests");
  writeFileSync(config, [...settings, ...includes.map((path) => `Include ${path}`), ""].join("\n"));
  writeFileSync(file, requests.map(writeRequest).join(""), "latin1");
  return (count) => {
    const { status, stdout } = spawnSync(program, [config, file, "1", String(count)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}`);
    return stdout
      .trim()
      .split("\n")
      .map((line) => Number(line.split(" ")[1]));
  };
}

const settings = [
  "SecRuleEngine DetectionOnly",
  "SecRequestBodyAccess On",
  "SecResponseBodyAccess Off",
  `SecRule REQUEST_HEADERS:Content-Type "@rx ^application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"`,
];

/** The number of fields, then each with its length: method, target, headers in pairs, body. */
function writeRequest({ method, target, headers, body }: RuleRequest): string {
  const fields = [method, target, ...headers.flatMap(({ name, value }) => [name, value]), body];
  return `${fields.length}\n${fields.map((field) => `${field.length} ${field}\n`).join("")}`;
}
