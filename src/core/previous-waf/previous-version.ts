import type { RequestContext } from "../expression/context.ts";
import { requestUrlOf } from "../firewall-products/product.ts";
import { judgeByPreviousWaf, type PreviousMatch } from "./judge.ts";
import { findBuiltInRuleset } from "../judging/managed-rulesets.ts";
import { owaspScores, type OwaspScores } from "../judging/owasp-scores.ts";
import type { DescribedRequest } from "../judging/described-request.ts";
import { managedRulesetId, owaspRulesetId } from "../waf-plan/plan.ts";
import type { PreviousWaf } from "../waf-plan/previous-waf.ts";
import type { Meets } from "../judging/library.ts";

interface PreviousRequest {
  /** The request before any rule rewrote it. */
  readonly sent: RequestContext;
  /** The headers, with names in any case. */
  readonly headers: DescribedRequest["headers"];
  readonly vendor: string;
  readonly meets: Meets;
  /** See `scoresOf`; computed on demand. */
  readonly scores: () => OwaspScores["byRule"];
}

/** Evaluates the previous version of the managed rules on a request. */
export function previousWafJudge(
  previous: PreviousWaf,
  { sent, headers, vendor, meets, scores }: PreviousRequest,
): (request: RequestContext) => PreviousMatch[] {
  // Only a page rule turns it on for a request.
  if (!previous.isOn && previous.pageRules.length === 0) return () => [];
  const expressions = managedExpressions(vendor);
  return (request) =>
    judgeByPreviousWaf(previous, {
      url: requestUrlOf(sent),
      isAjax: isAjax(headers),
      bypasses: (expression) => meets(expression, request),
      matches: (ruleId) => {
        const expression = expressions.get(ruleId);
        return expression !== undefined && meets(expression, request);
      },
      owaspScores: scores,
    });
}

/** The scores of the Core Rule Set for a request, including rules that the zone disables. */
export function scoresOf(vendor: string, meets: (expression: string) => boolean): OwaspScores {
  const rules = findBuiltInRuleset(owaspRulesetId, vendor)?.rules ?? [];
  return owaspScores(rules, ({ expression }) => meets(expression));
}

function isAjax(headers: PreviousRequest["headers"]): boolean {
  const sent = headers.find(([name]) => name.toLowerCase() === "x-requested-with");
  return sent?.[1].toLowerCase() === "xmlhttprequest";
}

const expressionsOfVendors = new Map<string, ReadonlyMap<string, string>>();

function managedExpressions(vendor: string): ReadonlyMap<string, string> {
  const known = expressionsOfVendors.get(vendor);
  if (known !== undefined) return known;
  const rules = findBuiltInRuleset(managedRulesetId, vendor)?.rules ?? [];
  const made = new Map(rules.map(({ id, expression }) => [id, expression]));
  expressionsOfVendors.set(vendor, made);
  return made;
}
