import { parseArgs } from "node:util";

import { judgeRequest } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";
import { mulberry32 } from "./random.ts";

// Judges random requests by all rules of a release, at paranoia level 4: `npm run fuzz:crs -- RULES --requests 1000000
// --seed 7
// --seconds 3600`. Ends with 1 when a request makes it throw, or takes more CPU time than the event loop may be held.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "3600" },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  process.stderr.write("usage: npm run fuzz:crs -- RULES\n");
  process.exit(2);
}

const heldMsMax = 50;
const level = "4";
const variables = new Map(
  ["paranoia_level", "blocking_paranoia_level", "detection_paranoia_level"].map((name) => [name, level]),
);
const pieces = [
  "a", "b1", "id", "admin", " ", "'", '"', "<", ">", "/", "\\", "%", "%27", "%3c", "%u003c", "&", "&lt;", "=", ";", "--", "#", "/*", "*/", "(", ")",
  "or", " and ", "1=1", "union", " select ", " from ", "<script", "<a href=", "onerror=", "javascript:", "../", "/etc/passwd", "${", "{{", "$(", "`",
  "|", "||", "cat ", "http://", "file://", "\n", "\r\n", "\0", "\u00ff", "\u00c3\u00a9", "\\x41", "\\u0041", "<?php", "eval(", "[", "]", "{", "}", ":", ",",
  "data:", "base64,", "sleep(5)", "0x41", "{\"a\":", "]]>", "<!--", "-->", "java.lang.Runtime", "() {", "_SERVER", "content-type:",
]; // prettier-ignore
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "X"];
const types = [
  "application/x-www-form-urlencoded",
  "application/json",
  "text/xml",
  "multipart/form-data; boundary=b",
  "text/plain",
];

const random = mulberry32(Number(values.seed));
const rules = await readRuleDirectory(directory);
const counts = { judged: 0, matched: 0, thrown: 0, slow: 0 };
const until = performance.now() + Number(values.seconds) * 1000;
let slowestMs = 0;
while (counts.judged < Number(values.requests) && performance.now() < until) {
  const request = nextRequest();
  counts.judged += 1;
  try {
    const first = timed(request);
    // Once more, so that what V8 compiles and collects does not count.
    const milliseconds = first > heldMsMax ? Math.min(timed(request), timed(request)) : first;
    slowestMs = Math.max(slowestMs, milliseconds);
    if (milliseconds > heldMsMax) report("slow", request);
  } catch (error) {
    report("thrown", request);
    process.stderr.write(`${String(error)}\n`);
  }
}
process.stdout.write(
  `${counts.judged} requests: ${counts.matched} matched rules, ${counts.thrown} threw, ${counts.slow} took more than ${heldMsMax} ms, the slowest ${slowestMs.toFixed(1)} ms of CPU time\n`,
);
process.exitCode = counts.thrown + counts.slow === 0 ? 0 : 1;

function report(kind: "thrown" | "slow", request: RuleRequest): void {
  counts[kind] += 1;
  process.stderr.write(`${kind}: ${JSON.stringify(request)}\n`);
}

/** Milliseconds of CPU time. */
function timed(request: RuleRequest): number {
  const before = process.threadCpuUsage();
  const { matches } = judgeRequest(rules, request, undefined, variables);
  if (matches.some(({ isLogged }) => isLogged)) counts.matched += 1;
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function nextRequest(): RuleRequest {
  const method = pick(methods);
  const type = pick(types);
  const body = method === "GET" ? "" : bodyOf(type);
  const headers = [
    { name: "Host", value: "www.example.com" },
    { name: "User-Agent", value: random() < 0.8 ? "Mozilla/5.0" : text(8) },
    ...(random() < 0.5 ? [{ name: "Cookie", value: `a=${text(6)}; b=${text(3)}` }] : []),
    ...(random() < 0.3 ? [{ name: "Referer", value: text(6) }] : []),
    ...(body === ""
      ? []
      : [
          { name: "Content-Type", value: type },
          { name: "Content-Length", value: String(body.length) },
        ]),
  ];
  const target = `/${text(3)}?${text(2)}=${encodeURIComponent(text(12))}&q=${text(8)}`;
  return { method, target, protocol: "HTTP/1.1", headers, body, remoteAddress: "192.0.2.1" };
}

function bodyOf(type: string): string {
  if (random() < 0.1) return text(40);
  if (type.includes("urlencoded")) return `a=${encodeURIComponent(text(20))}&${text(2)}=${text(10)}`;
  if (type.includes("json"))
    return JSON.stringify({ [text(2)]: text(20), list: [text(4), 1, null, { deep: text(4) }] });
  if (type.includes("xml")) return `<a b="${text(4)}">${text(10)}</a>`;
  if (type.includes("multipart")) {
    return `--b\r\nContent-Disposition: form-data; name="${text(2)}"; filename="${text(3)}"\r\n\r\n${text(10)}\r\n--b--\r\n`;
  }
  return text(30);
}

/** Up to so many pieces; now and then one of them many times. */
function text(most: number): string {
  let made = "";
  for (let left = Math.floor(random() * (most + 1)); left > 0; left -= 1) {
    made += random() < 0.01 ? pick(pieces).repeat(Math.floor(random() * 400)) : pick(pieces);
  }
  return made;
}

function pick(list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? "";
}
