import { judgeRequest } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";

// Judges requests of 8 KB that repeat one text, in many places of a request, by all rules of a release at paranoia
// level 4, and prints those that cost the most CPU time a KB: `npm run crs:repeated-texts -- RULES`.

const texts = [
  '"<', "<a ", "' or ", "<", ">", "'", '"', "\\", "\\'", "/*", "*/", "--", "#", "# ", "1 or ", "a.", "(", ")", "$a$", "$", "`", "[", "@", "''", "1+",
  "union all ", "<!--", "<!", "a=", "a='", "</a", "<![CDATA[", "<%", "=", " ", "a", "&#106;", "&lt;", "\0", "/", "?", "&", "%", "%41", "+", "a/", "../",
  "..\\", ";", "; ", "|", "||", "{", "}", "${", "$(", "{{", "%c3%a9", "\u00c3\u00a9", "\u00ff", "%u0041", "\\x41", "\\u0041", "0x41", "select ", "and ",
  "or 1=1 ", "script", "<script", "javascript:", "onerror=", "data:", "http://", "a:", "1", "1,", "-", "_", "^", "aA", "cat /etc/", "\n", "\r\n", "%0a",
  "%00", "%25", "sleep(", "a b ", "<?php", "1;", "base64,", "=a&",
]; // prettier-ignore

const octets = 8192;
/** Time for judging each input at first, and then each of the worst. */
const firstMs = 20;
const measuredMs = 100;
const shown = 12;
const level = "4";
const variables = new Map(
  ["paranoia_level", "executing_paranoia_level", "blocking_paranoia_level", "detection_paranoia_level"].map(
    (name) => [name, level],
  ),
);

const agent = { name: "User-Agent", value: "Mozilla/5.0" };

function get(target: string, ...headers: RuleRequest["headers"]): RuleRequest {
  return {
    method: "GET",
    target,
    protocol: "HTTP/1.1",
    headers: [{ name: "Host", value: "www.example.com" }, ...headers],
    body: "",
    remoteAddress: "192.0.2.1",
  };
}

function post(type: string, body: string): RuleRequest {
  const headers = [
    { name: "Content-Type", value: type },
    { name: "Content-Length", value: String(body.length) },
  ];
  return { ...get("/a", agent, ...headers), method: "POST", body };
}

function encoded(text: string): string {
  return text.replaceAll(/[^\w.~-]/g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

const form = "application/x-www-form-urlencoded";
const parts = "multipart/form-data; boundary=b";
const places: Readonly<Record<string, (text: string) => RuleRequest>> = {
  "a query": (text) => get(`/a?q=${text}`, agent),
  "a query, encoded": (text) => get(`/a?q=${encoded(text)}`, agent),
  "a path": (text) => get(`/${text}`, agent),
  "a cookie": (text) => get("/a", agent, { name: "Cookie", value: `a=${text}` }),
  "User-Agent": (text) => get("/a", { name: "User-Agent", value: text }),
  "a header": (text) => get("/a", agent, { name: "X-Test", value: text }),
  "a form": (text) => post(form, text),
  "the name of a field": (text) => post(form, `${encoded(text)}=1`),
  "a field of a form": (text) => post(form, `q=${text}`),
  JSON: (text) => post("application/json", JSON.stringify({ q: text })),
  "JSON of 128 values": (text) => post("application/json", JSON.stringify(text.match(/[^]{64}/g))),
  XML: (text) => post("text/xml", `<a>${text}</a>`),
  "a part of a form": (text) =>
    post(parts, `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--b--\r\n`),
  text: (text) => post("text/plain", text),
};

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write("usage: npm run crs:repeated-texts -- RULES\n");
  process.exit(2);
}
const rules = await readRuleDirectory(directory);
const inputs = texts.flatMap((text) =>
  Object.entries(places).map(([place, requestWith]) => ({
    title: `${JSON.stringify(text)} in ${place}`,
    request: requestWith(text.repeat(octets / text.length + 1).slice(0, octets)),
  })),
);
const costly = inputs
  .map(({ title, request }) => ({ title, request, cost: costOf(request, firstMs) }))
  .toSorted((one, other) => other.cost - one.cost)
  .slice(0, 2 * shown)
  .map(({ title, request }) => ({
    title,
    cost: Math.min(...Array.from({ length: 5 }, () => costOf(request, measuredMs))),
  }))
  .toSorted((one, other) => other.cost - one.cost);
for (const { title, cost } of costly.slice(0, shown)) {
  process.stdout.write(`${cost.toFixed(2)} ms/KB: ${title}\n`);
}

/** Milliseconds of CPU time for each KB that is sent. */
function costOf(request: RuleRequest, least: number): number {
  judgeRequest(rules, request, undefined, variables);
  const before = process.cpuUsage();
  for (let times = 1; ; times += 1) {
    judgeRequest(rules, request, undefined, variables);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= least) return ms / times / (sizeOf(request) / 1024);
  }
}

function sizeOf({ target, headers, body }: RuleRequest): number {
  return headers.reduce(
    (sum, { name, value }) => sum + name.length + value.length,
    target.length + body.length,
  );
}
