import type { PageRuleAction } from "./actions.ts";
import { parseAnyUrlPattern, type UrlPattern } from "./url-pattern.ts";

/** A page rule as it was written. */
export interface PageRuleText {
  readonly id: string;
  readonly isActive: boolean;
  readonly url: string;
  readonly actions: readonly PageRuleAction[];
}

/** A page rule with the pattern of its URL. */
export interface ParsedPageRule extends PageRuleText {
  readonly pattern: UrlPattern;
}

/** Leaves out what has no valid pattern, as rules of earlier versions may. */
export function parsePageRules(rules: readonly PageRuleText[]): ParsedPageRule[] {
  return rules.flatMap((rule) => {
    const pattern = parseAnyUrlPattern(rule.url);
    return pattern instanceof Error ? [] : [{ ...rule, pattern }];
  });
}

/** Whether a page rule turns the managed rules of the previous WAF on or off. */
export function managedRulesOf({ actions }: Pick<PageRuleText, "actions">): "on" | "off" | undefined {
  if (actions.some(({ id }) => id === "disable_security")) return "off";
  const waf = actions.find(({ id }) => id === "waf")?.value;
  return waf === "on" || waf === "off" ? waf : undefined;
}
