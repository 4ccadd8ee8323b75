import type { RunningRules } from "./judge-request.ts";
import type { RunnableRule } from "./program.ts";

const phase = "http_request_firewall_custom";
const description = "The rules of the zone could not be made ready";
const rule: RunnableRule["rule"] = {
  id: "",
  version: "",
  last_updated: "",
  ref: "",
  action: "block",
  expression: "true",
  description,
  enabled: true,
};

/**
 * Takes the place of the rules of a zone that could not be compiled because of `error`: a single rule, whose evaluation
 * fails, so that the fail mode decides about each request.
 */
export function failingRules(error: unknown): RunningRules {
  const fail = (): never => {
    throw error;
  };
  const failing: RunnableRule = {
    rule,
    matches: fail,
    executes: undefined,
    redirects: undefined,
    limit: undefined,
    rewrites: undefined,
  };
  const ruleset = { id: "", name: "", description, kind: "zone" } as const;
  return {
    program: [{ phase, entryPoints: [{ ruleset, rules: [failing], coreLevel: undefined }] }],
    responseProgram: [],
    responseChanges: [],
    meets: fail,
    lists: new Map(),
    coreRules: undefined,
    coreLevel: undefined,
    tellsVisitorsApart: false,
  };
}
