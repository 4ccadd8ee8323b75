import { readFileSync } from "node:fs";
import { encodeText } from "../core/expression/byte-string.ts";
import { type RuleMatch, judgeAtLevel } from "../core/seclang/evaluate/judge.ts";
import type { RuleRequest } from "../core/seclang/evaluate/request.ts";
import { type RuleSet, scoreOf } from "../core/seclang/evaluate/rule.ts";
import { SecLangError } from "../core/seclang/parse/directives.ts";
import { readRuleDirectory, RuleDirectoryError } from "../engines/crs-release.ts";
import { parseFlags, UsageError, printable } from "./command-line.ts";

const refused = 1;
const usageError = 2;
const shownCharactersMax = 120;
/** An address of documentation (RFC 5737). */
const clientAddress = "192.0.2.1";

/** `zoneward crs check | request`. Returns 0, 1 for rules that do not load, 2 for a wrong command line. */
export async function crs(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    const [action, directory, url, ...others] = positionals;
    if (directory === undefined || others.length > 0) throw new UsageError("expected a directory");
    if (action === "check" && url === undefined) print(describeSet(await readRuleDirectory(directory)));
    else if (action === "request" && url !== undefined) {
      const request = readRequest(url, values);
      print(describeMatches(judge(await readRuleDirectory(directory), request, values.paranoia)));
    } else throw new UsageError("expected `check DIR` or `request DIR URL`");
    return 0;
  } catch (error) {
    if (error instanceof SecLangError || error instanceof RuleDirectoryError) {
      process.stderr.write(`${printable(error.message)}\n`);
      return refused;
    }
    if (error instanceof UsageError) {
      process.stderr.write(`zoneward: ${error.message}; see zoneward crs --help\n`);
      return usageError;
    }
    throw error;
  }
}

interface Flags {
  readonly method?: string;
  readonly header?: readonly string[];
  readonly data?: string;
  readonly "data-file"?: string;
  readonly paranoia: string;
}

function parse(args: readonly string[]): { readonly values: Flags; readonly positionals: readonly string[] } {
  return parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      method: { type: "string" },
      header: { type: "string", multiple: true },
      data: { type: "string" },
      "data-file": { type: "string" },
      paranoia: { type: "string", default: "1" },
    },
  });
}

function readRequest(text: string, flags: Flags): RuleRequest {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is no http or https URL`);
  const body = readBody(flags);
  const sent = (flags.header ?? []).map(readHeader);
  const has = (name: string): boolean => sent.some((header) => header.name.toLowerCase() === name);
  const usual = [
    { name: "Host", value: url.host },
    { name: "User-Agent", value: "zoneward" },
    { name: "Accept", value: "*/*" },
    ...(body === "" ? [] : [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }]),
    ...(body === "" ? [] : [{ name: "Content-Length", value: String(body.length) }]),
  ];
  return {
    method: flags.method ?? (body === "" ? "GET" : "POST"),
    // The target is taken as written: `new URL` would change it.
    target: encodeText(/^https?:\/\/[^/?#]*(\/?[^#]*)/i.exec(text)?.[1] ?? "") || "/",
    protocol: "HTTP/1.1",
    headers: [...usual.filter(({ name }) => !has(name.toLowerCase())), ...sent],
    body,
    remoteAddress: clientAddress,
  };
}

function readHeader(text: string): { readonly name: string; readonly value: string } {
  const [, name, value = ""] = /^([^\s:]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`${text} is no header: expected \`Name: value\``);
  return { name: encodeText(name), value: encodeText(value) };
}

function readBody({ data, "data-file": file }: Flags): string {
  if (file === undefined) return encodeText(data ?? "");
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface Answer {
  readonly matches: readonly RuleMatch[];
  readonly score: number;
}

function judge(rules: RuleSet, request: RuleRequest, paranoia: string): Answer {
  const level = ([1, 2, 3, 4] as const).find((one) => String(one) === paranoia);
  if (level === undefined) throw new UsageError("--paranoia is 1, 2, 3 or 4");
  const { matches, read } = judgeAtLevel(rules, request, level);
  const counted = read("TX", "blocking_inbound_anomaly_score") ?? read("TX", "anomaly_score");
  const shown = matches.filter(
    ({ isLogged, severity, variable }) => isLogged && severity !== undefined && !/^&?TX:/.test(variable),
  );
  const sum = shown.reduce((total, { severity }) => total + scoreOf(severity), 0);
  return { matches: shown, score: counted === undefined ? sum : Number(counted) };
}

function describeSet({ version, rules }: RuleSet): string[] {
  const judged = rules.filter(({ phase }) => phase !== 5).length;
  return [`${version ?? "no name"}: ${rules.length} rules, of which ${judged} judge requests and responses`];
}

function describeMatches({ matches, score }: Answer): string[] {
  const lines = matches.flatMap(({ id, message, severity, variable, value }) => [
    `${id}  ${String(scoreOf(severity)).padStart(2)}  ${message}`,
    `            ${variable}: ${shorten(value)}`,
  ]);
  return [...lines, `score ${score}`];
}

function shorten(value: string): string {
  return value.length <= shownCharactersMax ? value : `${value.slice(0, shownCharactersMax)}…`;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.map(printable).join("\n")}\n`);
}
