import { ruleLimits } from "../expression/limits.ts";
import { matchesGlob, type UrlPattern } from "../page-rules/url-pattern.ts";
import type { Consequence } from "./consequence.ts";
import { managedRulesOf, type PreviousPageRule, type PreviousWaf } from "./previous-waf.ts";
import { skip, type ProposedRule } from "./proposed-rule.ts";
import { urlExpression } from "./url-expression.ts";

/** The rules that run the managed rulesets for the requests of an expression. */
export type ExecuteFor = (expression: string, description: string) => readonly ProposedRule[];

/** The rules that page rules become, before and after those that run the managed rulesets for every request. */
interface PageRulePlan {
  readonly ahead: readonly ProposedRule[];
  readonly behind: readonly ProposedRule[];
}

/**
 * The rules that carry over what page rules say about the managed rules. Of the page rules that match a URL only the
 * first applies, so each expression excludes what earlier ones match. If an expression becomes too long for that, the
 * rules follow the order of the page rules instead, and each ends the evaluation of what it matches.
 */
export function planPageRules(
  previous: PreviousWaf,
  executeFor: ExecuteFor,
  consequences: Consequence[],
): PageRulePlan {
  const { isOn, pageRules } = previous;
  const off = pageRulesSaying("off", pageRules, consequences);
  // If the managed rules are on, a page rule that turns them on changes nothing.
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

/** The active page rules that turn the managed rules off or on, without the URLs that earlier page rules match. */
function pageRulesSaying(
  wanted: "on" | "off",
  pageRules: readonly PreviousPageRule[],
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

function describe({ url }: PreviousPageRule, says: "on" | "off"): string {
  return `page rule ${url}: managed rules ${says}`;
}

function exclusively(pattern: UrlPattern, ahead: readonly UrlPattern[]): string {
  const own = urlExpression(pattern);
  const others = ahead.filter((other) => mayOverlap(other, pattern)).map(urlExpression);
  // After a pattern that matches everything no URL is left.
  if (others.includes("")) return "false";
  const excluded = [...new Set(others)].map((other) => `not (${other})`);
  return [...(own === "" ? [] : [own]), ...excluded].join(" and ") || "true";
}

/** False if no URL can match both. Patterns that need not be excluded keep expressions short. */
function mayOverlap(one: UrlPattern, other: UrlPattern): boolean {
  if (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) return false;
  if (one.port !== undefined && other.port !== undefined && one.port !== other.port) return false;
  return (
    endsMeet(one.host, other.host) && (one.hasQuery !== other.hasQuery || endsMeet(one.path, other.path))
  );
}

/** Whether one text may match both. If both have stars, their beginnings and ends are compared. */
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
