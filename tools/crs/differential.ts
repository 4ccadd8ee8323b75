import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { readArguments } from "../../src/core/seclang/bodies/url-encoded.ts";
import { judgeRequest } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import type { Rule } from "../../src/core/seclang/evaluate/rule.ts";
import type { Variable } from "../../src/core/seclang/parse/targets.ts";
import { backtrackedOctetsMax } from "../../src/core/seclang/patterns/pattern.ts";
import { decodeBase64, decodeUrl, decodeHtmlEntities } from "../../src/core/seclang/transform/encodings.ts";
import { normalizePath, normalizeWindowsPath } from "../../src/core/seclang/transform/texts.ts";
import { stepsOf, type Transformation } from "../../src/core/seclang/transform/chain.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";
import { mulberry32 } from "../fuzz/random.ts";
import { RandomRequests } from "./random-requests.ts";
import { readRegressionTests } from "./regression-tests.ts";

// Judges random requests by Debian's rules, here and with libmodsecurity, at paranoia level 4, and lists by rule where
// the two differ: `npm run crs:differential -- --requests 100000 --seed 1 --tests TESTS`. TESTS is what
// `crs:regression` takes; its requests are among those that are changed.

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    tests: { type: "string" },
  },
});

const rulesDirectory = "/usr/share/modsecurity-crs";
const level = "4";
const batch = 200;
const shownMax = 20;

const configuration = `SecRuleEngine DetectionOnly
SecRequestBodyAccess On
SecResponseBodyAccess Off
SecRule REQUEST_HEADERS:Content-Type "^(?:application(?:/soap\\+|/)|text/)xml" "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "^application/(?:json|[a-z0-9.-]+\\+json)" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
SecAction "id:200002,phase:1,pass,nolog,setvar:tx.paranoia_level=${level},setvar:tx.executing_paranoia_level=${level}"
Include /etc/modsecurity/crs/crs-setup.conf
Include ${rulesDirectory}/rules/*.conf
`;
const variables = new Map([
  ["paranoia_level", level],
  ["executing_paranoia_level", level],
]);

type Side = "ours" | "theirs";

interface Cause {
  readonly why: string;
  readonly explains: (rule: Rule | undefined, side: Side, request: RuleRequest) => boolean;
}

const rulesWithLongLists: ReadonlySet<number> = new Set([930_120, 932_160, 933_151]);

/**
 * Differences between libmodsecurity and ModSecurity 2, for which the rules were written:
 * docs/design/core-rule-set.md.
 */
const causes: readonly Cause[] = [
  {
    why: "REQUEST_BODY is set for bodies that a processor took apart",
    explains: (rule, side, { headers }) =>
      side === "theirs" && looksAt(rule, "REQUEST_BODY") && isTakenApart(headers),
  },
  {
    why: "REQUEST_URI is decoded",
    explains: (rule, _, { target }) => looksAt(rule, "REQUEST_URI") && target.includes("%"),
  },
  {
    why: "transformations end at an octet 0",
    explains: (_, __, request) => /%(?:25)*00|(?:\\|%5c)(?:u0000|x00|0)/i.test(JSON.stringify(request)),
  },
  {
    why: "cookies without a name are not read",
    explains: (_, side, { headers }) =>
      side === "ours" &&
      headers.some(({ name, value }) => name.toLowerCase() === "cookie" && /(?:^|;)\s*=/.test(value)),
  },
  {
    why: "phrases of a long list are not found",
    explains: (rule, side) => side === "ours" && rule !== undefined && rulesWithLongLists.has(rule.id),
  },
  {
    why: "bodies that are damaged are not read",
    explains: (_, side, { headers }) => side === "ours" && isTakenApart(headers),
  },
  {
    why: "^ and $ match at every line",
    explains: (_, side, request) => side === "theirs" && /%(?:25)*0a|\\n/i.test(JSON.stringify(request)),
  },
  {
    why: "a segment of a path that ends in two dots is taken for a way back",
    explains: (rule, _, request) =>
      transforms(rule, normalizePath, normalizeWindowsPath) &&
      /[^/\\]\.\.(?:[/\\&+ "]|%2f|%5c)/i.test(JSON.stringify(request)),
  },
  {
    why: "names of entities that letters follow are not known",
    explains: (rule, side, request) =>
      side === "ours" &&
      transforms(rule, decodeHtmlEntities) &&
      /&(?:quot|amp|lt|gt|nbsp)\w/i.test(decodeUrl(JSON.stringify(request))),
  },
  {
    why: "only a text that is base64 as a whole is decoded",
    explains: (rule, side) => side === "ours" && transforms(rule, decodeBase64),
  },
  {
    why: "REQUEST_FILENAME of a whole URL begins with its scheme",
    explains: (rule, _, { target }) => looksAt(rule, "REQUEST_FILENAME") && !target.startsWith("/"),
  },
  {
    why: "MATCHED_VARS holds what the rule before matched too",
    explains: (rule, side) => side === "theirs" && looksAt(rule, "MATCHED_VARS"),
  },
  {
    why: "arguments of one name stand together, so that MATCHED_VAR is another",
    explains: (rule, _, request) => looksAt(rule, "MATCHED_VAR") && repeatsAnArgument(request),
  },
  {
    why: "patterns with references see no more than the beginning of a value (here)",
    explains: (rule, side, { body, target }) =>
      side === "theirs" &&
      rule?.id === 942_130 &&
      Math.max(body.length, target.length) > backtrackedOctetsMax,
  },
];

interface Difference {
  count: number;
  readonly rules: Map<number, number>;
  readonly examples: string[];
}

const directory = mkdtempSync(join(tmpdir(), "zoneward-differential-"));
const file = join(directory, "rules.conf");
writeFileSync(file, configuration);
const peer = spawn("/usr/bin/python3", [join(import.meta.dirname, "libmodsecurity.py"), file], {
  stdio: ["pipe", "pipe", "inherit"],
});
const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
const rules = await readRuleDirectory(rulesDirectory);
const attacks =
  values.tests === undefined ? [] : readRegressionTests(values.tests).map(({ request }) => request);
const requests = new RandomRequests(mulberry32(Number(values.seed)), attacks);
const byId = new Map(rules.rules.map((rule) => [rule.id, rule]));
const differences = new Map<string, Difference>();
const counts = { judged: 0, same: 0, ids: 0 };

try {
  while (counts.judged < Number(values.requests)) await compareBatch();
} finally {
  peer.stdin.end();
  rmSync(directory, { recursive: true });
}
report();

async function compareBatch(): Promise<void> {
  const made = Array.from({ length: batch }, () => requests.next());
  peer.stdin.write(made.map((request) => `${JSON.stringify(request)}\n`).join(""));
  for (const request of made) {
    const { value } = await answers.next();
    if (value === undefined) throw new Error("libmodsecurity ended");
    compare(request, JSON.parse(value) as number[]);
  }
}

function compare(request: RuleRequest, theirs: readonly number[]): void {
  const { matches } = judgeRequest(rules, request, undefined, variables);
  const ours = new Set(matches.filter(({ isLogged }) => isLogged).map(({ id }) => id));
  const onlyOurs = [...ours].filter((id) => !theirs.includes(id));
  const onlyTheirs = theirs.filter((id) => !ours.has(id));
  counts.judged += 1;
  counts.ids += theirs.length;
  if (onlyOurs.length + onlyTheirs.length === 0) counts.same += 1;
  for (const id of onlyOurs) note(id, "ours", request);
  for (const id of onlyTheirs) note(id, "theirs", request);
}

function note(id: number, side: Side, request: RuleRequest): void {
  // The sum is another one wherever a rule is.
  if (id === 949_110 || id === 980_130) return;
  const rule = byId.get(id);
  const cause = causes.find(({ explains }) => explains(rule, side, request));
  const key = cause === undefined ? `not explained, only ${side === "ours" ? "here" : "there"}` : cause.why;
  const difference = differences.get(key) ?? { count: 0, rules: new Map<number, number>(), examples: [] };
  difference.count += 1;
  difference.rules.set(id, (difference.rules.get(id) ?? 0) + 1);
  if (cause === undefined && difference.examples.length < shownMax) {
    difference.examples.push(`${id} ${JSON.stringify(request)}`);
  }
  differences.set(key, difference);
}

function looksAt(rule: Rule | undefined, searched: Variable): boolean {
  return (rule?.links ?? []).some(({ test }) =>
    test?.targets.included.some(({ variable }) => variable === searched),
  );
}

function transforms(rule: Rule | undefined, ...any: readonly Transformation[]): boolean {
  const chains = (rule?.links ?? []).flatMap(({ test }) => test?.chains ?? []);
  return chains.flatMap(stepsOf).some(({ step }) => any.includes(step.apply));
}

function repeatsAnArgument({ target, body }: RuleRequest): boolean {
  const names = readArguments(`${target.replace(/^[^?]*\??/, "")}&${body}`).map(({ name }) => name);
  return new Set(names).size < names.length;
}

function isTakenApart(headers: RuleRequest["headers"]): boolean {
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return /xml|json|multipart/i.test(type);
}

function report(): void {
  const { judged, same, ids } = counts;
  process.stdout.write(`${judged} requests: ${same} match the same rules; libmodsecurity matched ${ids}\n`);
  for (const [why, { count, rules: found, examples }] of differences) {
    const list = [...found]
      .toSorted(([, one], [, other]) => other - one)
      .map(([id, times]) => `${id} (${times})`);
    process.stdout.write(`${count} ${why}: ${list.join(", ")}\n`);
    for (const example of examples) process.stderr.write(`${why}: ${example}\n`);
  }
}
