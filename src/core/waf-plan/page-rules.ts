import { ruleLimits } from "../expression/limits.ts";
import { matchesGlob, type UrlPattern } from "../page-rules/url-pattern.ts";
import { type Consequence, skip, type ProposedRule } from "./proposed-rule.ts";
import { managedRulesOf, type ParsedPageRule } from "../page-rules/page-rule.ts";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";

export type ExecuteFor = (expression: string, description: string) => readonly ProposedRule[];

/** The rules that page rules become, before and after those for every request. */
interface PageRulePlan {
  readonly ahead: readonly ProposedRule[];
  readonly behind: readonly ProposedRule[];
}

/**
 * The rules that replace page rules about the managed rules. Only the first page rule that matches a URL
 * applies, so each expression excludes the earlier ones. If that makes an expression too long, the rules
 * follow the order of the page rules and each ends the evaluation.
 */
export function planPageRules(
  previous: PreviousWaf,
  executeFor: ExecuteFor,
  consequences: Consequence[],
): PageRulePlan {
  const { isOn, pageRules } = previous;
  const off = pageRulesSaying("off", pageRules, consequences);
  // If the managed rules are on, page rules that turn them on have no effect.
  const on = isOn ? [] : pageRulesSaying("on", pageRules, consequences);
  consequences.push(
    ...off.map(({ description }) => ({ setting: description, becomes: "a skip rule for the same URLs" })),
    ...on.map(({ description }) => ({ setting: description, becomes: "execute rules for the same URLs" })),
  );
  if ([...off, ...on].some(({ expression }) => expression.length > ruleLimits.octetsMax)) {
    return { ahead: oneAfterAnother(previous, executeFor), behind: [] };
  }
  return {
    ahead: off.map(({ expression, description }) => skip(expression, description)),
    behind: on.flatMap(({ expression, description }) => executeFor(expression, description)),
  };
}

function oneAfterAnother({ isOn, pageRules }: PreviousWaf, executeFor: ExecuteFor): ProposedRule[] {
  return pageRules.flatMap((rule) => {
    if (!rule.isActive) return [];
    const says = managedRulesOf(rule) ?? (isOn ? "on" : "off");
    const expression = urlExpression(rule.pattern) || "true";
    const description = describe(rule, says);
    return [...(says === "on" ? executeFor(expression, description) : []), skip(expression, description)];
  });
}

interface PatternRule {
  readonly expression: string;
  readonly description: string;
}

/** The active page rules that turn the managed rules on or off, without the URLs of earlier ones. */
function pageRulesSaying(
  wanted: "on" | "off",
  pageRules: readonly ParsedPageRule[],
  consequences: Consequence[],
): PatternRule[] {
  const ahead: UrlPattern[] = [];
  return pageRules.flatMap((rule) => {
    const isWanted = managedRulesOf(rule) === wanted;
    const description = describe(rule, wanted);
    if (!rule.isActive) {
      if (isWanted) consequences.push({ setting: `${description}, which is disabled`, becomes: undefined });
      return [];
    }
    const expression = isWanted ? exclusively(rule.pattern, ahead) : "";
    ahead.push(rule.pattern);
    return isWanted ? [{ expression, description }] : [];
  });
}

function describe({ url }: ParsedPageRule, says: "on" | "off"): string {
  return `page rule ${url}: managed rules ${says}`;
}

function exclusively(pattern: UrlPattern, ahead: readonly UrlPattern[]): string {
  const own = urlExpression(pattern);
  const others = ahead.filter((other) => mayOverlap(other, pattern)).map(urlExpression);
  // The earlier pattern matches everything.
  if (others.includes("")) return "false";
  const excluded = [...new Set(others)].map((other) => `not (${other})`);
  return [...(own === "" ? [] : [own]), ...excluded].join(" and ") || "true";
}

/** Whether a URL may match both patterns. False keeps expressions short. */
function mayOverlap(one: UrlPattern, other: UrlPattern): boolean {
  if (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) return false;
  if (one.port !== undefined && other.port !== undefined && one.port !== other.port) return false;
  return (
    endsMeet(one.host, other.host) && (one.hasQuery !== other.hasQuery || endsMeet(one.path, other.path))
  );
}

/** Whether a text may match both. With two stars only the beginnings and ends are compared. */
function endsMeet(one: string, other: string): boolean {
  if (!one.includes("*")) return matchesGlob(other, one);
  if (!other.includes("*")) return matchesGlob(one, other);
  const [head, otherHead] = [headOf(one), headOf(other)];
  const [tail, otherTail] = [tailOf(one), tailOf(other)];
  const headsMeet = head.startsWith(otherHead) || otherHead.startsWith(head);
  const tailsMeet = tail.endsWith(otherTail) || otherTail.endsWith(tail);
  return headsMeet && tailsMeet;
}

function headOf(glob: string): string {
  return glob.split("*", 1)[0] ?? "";
}

function tailOf(glob: string): string {
  return glob.slice(glob.lastIndexOf("*") + 1);
}

export function urlExpression({ scheme, host, port, path, hasQuery }: UrlPattern): string {
  const conditions = [
    ...(scheme === undefined ? [] : [scheme === "https" ? "ssl" : "not ssl"]),
    ...(port === undefined ? [] : [`cf.edge.server_port eq ${port}`]),
    ...compare("http.host", host),
    ...compare(hasQuery ? "http.request.uri" : "http.request.uri.path", path),
  ];
  return conditions.join(" and ");
}

/**
 * Compares a field with a glob. Both are in lower case, and so are hosts of requests; `wildcard` takes paths
 * in any case.
 */
function compare(field: string, glob: string): string[] {
  // The language refuses adjacent stars.
  const stars = glob.replaceAll(/\*+/g, "*");
  if (stars === "*" || (field !== "http.host" && stars === "/*")) return [];
  const isAnyCase = field !== "http.host" && /[a-z]/.test(stars);
  if (!isAnyCase && !stars.includes("*")) return [`${field} eq ${quote(stars)}`];
  const operator = isAnyCase ? "wildcard" : "strict wildcard";
  return [`${field} ${operator} ${quote(stars.replaceAll("\\", "\\\\"))}`];
}

/** Quotes a text, as a raw string where quotes would need escapes. */
function quote(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`;
  const fences = Array.from(text.matchAll(/"(#*)/g), ([, found = ""]) => found.length);
  const hashes = "#".repeat(Math.max(0, ...fences) + 1);
  return `r${hashes}"${text}"${hashes}`;
}
