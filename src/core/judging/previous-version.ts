import type { RequestContext } from "../expression/context.ts";
import { requestUrlOf } from "../page-rules/url-pattern.ts";
import { judgeByPreviousWaf, type PreviousMatch } from "../previous-waf/judge.ts";
import { findBuiltInRuleset } from "./managed-rulesets.ts";
import { owaspScores, type OwaspScores } from "./owasp-scores.ts";
import type { DescribedRequest } from "./described-request.ts";
import { managedRulesetId, owaspRulesetId } from "../rulesets/phases.ts";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";
import type { Meets } from "./program.ts";

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
