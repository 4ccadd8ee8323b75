import { expression, readActionParameters, type ActionParameters } from "./action-parameters.ts";
import { rulesetLimits } from "./limits.ts";
import { actions, phaseDefinitions, type Action } from "./phases.ts";
import {
  exposedCredentialCheck,
  rateLimit,
  type ExposedCredentialCheck,
  type RateLimit,
} from "./rate-limit.ts";
import type { RuleContext } from "./rule-context.ts";
import { invalidValue, loggingWithoutSkip, missingField } from "./ruleset-error.ts";
import { flag, object, oneOf, optional, required, text, type Shape } from "./shapes.ts";
import { listsNamedIn } from "../expression/named-lists.ts";

/** A stored rule (docs/contract/rulesets.md#objects). */
export interface Rule extends RuleDefinition {
  /** 32 hexadecimal characters. */
  readonly id: string;
  /** A decimal number that increases with every change. */
  readonly version: string;
  readonly last_updated: string;
  readonly ref: string;
  /** Only for managed rules. */
  readonly categories?: readonly string[];
  readonly score_threshold?: number;
}

/** A rule without its identity. */
interface RuleDefinition {
  readonly action: Action;
  readonly action_parameters?: ActionParameters;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly logging?: { readonly enabled: boolean };
  readonly ratelimit?: RateLimit;
  readonly exposed_credential_check?: ExposedCredentialCheck;
}

/** A rule in a body. Without an id it is identified by its reference. */
export interface RuleInput {
  readonly id?: string;
  readonly ref?: string;
  readonly definition: RuleDefinition;
}

const { descriptionLengthMax, refLengthMax } = rulesetLimits;

/** For fields of answers that clients send back. */
const isIgnored: Shape<unknown> = () => undefined;

/** Clients send an empty `id` or `ref` for a new rule. */
const fields = object({
  id: optional(text({ lengthMin: 0, pattern: /^(?:[0-9a-f]{32})?$/ })),
  ref: optional(text({ lengthMin: 0, lengthMax: refLengthMax })),
  action: required(oneOf(actions)),
  expression: required(expression("filter")),
  description: optional(text({ lengthMin: 0, lengthMax: descriptionLengthMax })),
  enabled: optional(flag),
  action_parameters: optional<unknown>((value) => value),
  logging: optional(object({ enabled: required(flag) })),
  ratelimit: optional(rateLimit),
  exposed_credential_check: optional(exposedCredentialCheck),
  version: optional(isIgnored),
  last_updated: optional(isIgnored),
  categories: optional(isIgnored),
});

/** Reads a rule of a body. Errors: 400 with a pointer to the first error. */
export const ruleInput: Shape<RuleInput> = (value, pointer, context) => {
  const { id, ref, action, ...sent } = fields(value, pointer, context);
  const { expression: condition, description = "", enabled = true, logging, ratelimit } = sent;
  if (!phaseDefinitions[context.phase].actions.includes(action)) {
    throw invalidValue(`${pointer}/action`, action, `it is not possible in phase ${context.phase}`);
  }
  if (action === "skip" && context.kind === "root" && context.phase === "http_request_firewall_custom") {
    const reason = "the entry point of an account cannot skip in this phase";
    throw invalidValue(`${pointer}/action`, action, reason, "skipInAccount");
  }
  if (action === "execute" && context.kind === "root") requireEnterprise(condition, `${pointer}/expression`);
  const action_parameters = readActionParameters(
    action,
    sent.action_parameters,
    `${pointer}/action_parameters`,
    context,
  );
  if (logging !== undefined && action !== "skip") throw loggingWithoutSkip(`${pointer}/logging`);
  checkRateLimit(action, ratelimit, `${pointer}/ratelimit`, context);
  const check = sent.exposed_credential_check;
  return {
    ...(id !== undefined && id !== "" && { id }),
    ...(ref !== undefined && ref !== "" && { ref }),
    definition: {
      action,
      ...(action_parameters !== undefined && { action_parameters }),
      expression: condition,
      description,
      enabled,
      ...(action === "skip" && { logging: logging ?? { enabled: true } }),
      ...(ratelimit !== undefined && { ratelimit }),
      ...(check !== undefined && { exposed_credential_check: check }),
    },
  };
};

/** Rulesets of an account run on Enterprise zones only; the expression must say so. */
function requireEnterprise(condition: string, pointer: string): void {
  if (/(?:^|\band|&&)[\s(]*cf\.zone\.plan\s*(?:eq|==)\s*"ENT"[\s)]*$/.test(condition)) return;
  const reason = 'rules that execute a ruleset for an account must end with and cf.zone.plan eq "ENT"';
  throw invalidValue(pointer, condition, reason);
}

function checkRateLimit(
  action: Action,
  limit: RateLimit | undefined,
  pointer: string,
  { phase }: RuleContext,
): void {
  const isNeeded = phase === "http_ratelimit" && action !== "execute";
  if (isNeeded && limit === undefined) throw missingField(pointer);
  if (isNeeded || limit === undefined) return;
  throw invalidValue(pointer, limit, `it is not possible in phase ${phase} with action ${action}`);
}

/** The names of the lists that a rule refers to, in its expressions or as a list of redirects. */
function listNamesOf({
  expression: condition,
  action_parameters,
  ratelimit,
}: Pick<Rule, "expression" | "action_parameters" | "ratelimit">): ReadonlySet<string> {
  const names = new Set<string>();
  for (const source of [
    condition,
    ...expressionsWithin(action_parameters),
    ...expressionsWithin(ratelimit),
  ]) {
    for (const { name } of listsNamedIn(source)) names.add(name);
  }
  const { from_list } = (action_parameters ?? {}) as { readonly from_list?: { readonly name: string } };
  if (from_list !== undefined) names.add(from_list.name);
  return names;
}

/** The names of the lists that several rules refer to, once for each rule. */
export function listNamesIn(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => Array.from(listNamesOf(rule)));
}

const nameInText = /\$([a-zA-Z0-9_]+)/g;

/**
 * The names of lists in a body that is not validated yet: all that its rules refer to, and perhaps others.
 */
export function listNamesWithin(body: unknown, field = ""): ReadonlySet<string> {
  if (typeof body === "string") {
    const names = body.includes("$") ? Array.from(body.matchAll(nameInText), ([, one = ""]) => one) : [];
    return new Set(field === "name" ? [...names, body] : names);
  }
  if (typeof body !== "object" || body === null) return new Set();
  return new Set(Object.entries(body).flatMap(([key, part]) => Array.from(listNamesWithin(part, key))));
}

const expressionFields = new Set(["expression", "counting_expression", "key"]);

/** The texts of the fields that hold expressions. */
function expressionsWithin(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === "string" ? (expressionFields.has(name) ? [part] : []) : expressionsWithin(part),
  );
}
