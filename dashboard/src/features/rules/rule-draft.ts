import type { Phase } from "../../../../src/core/expression/phases.ts";
import { parametersSchema } from "../../../../src/core/rulesets/action-parameters.ts";
import type { Schema, ObjectSchema } from "../../../../src/core/rulesets/shapes.ts";
import { phaseDefinitions, type Action } from "../../../../src/core/rulesets/phases.ts";
import { rateLimit } from "../../../../src/core/rulesets/rate-limit.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleBody } from "../../rule-phases.ts";
import { fieldsOf, initialOf } from "./parameters/form-value.ts";

export interface RuleDraft {
  readonly description: string;
  readonly enabled: boolean;
  readonly expression: string;
  readonly action: Action;
  /** Kept for each action that was chosen meanwhile, so that choosing it again brings them back. */
  readonly parameters: Readonly<Partial<Record<Action, unknown>>>;
  readonly ratelimit: unknown;
  /** Whether requests that it skips are logged. */
  readonly isLogged: boolean;
}

interface RulePlace {
  readonly phase: Phase;
  readonly level: "zone" | "account";
}

const enterpriseZones = 'cf.zone.plan eq "ENT"';

export function newDraft({ phase, level }: RulePlace): RuleDraft {
  const [action = "block"] = phaseDefinitions[phase].actions;
  return withAction(
    {
      description: "",
      enabled: true,
      expression: level === "account" && action === "execute" ? enterpriseZones : "",
      action,
      parameters: {},
      ratelimit: isRateLimit(phase) ? initialRateLimit : undefined,
      isLogged: true,
    },
    action,
    phase,
  );
}

/** A new rule that has requests skip all rules after it. */
export function exceptionOf(draft: RuleDraft): RuleDraft {
  return { ...draft, action: "skip", parameters: { skip: { ruleset: "current" } } };
}

export function toDraft(rule: Rule): RuleDraft {
  const { description, enabled, expression, action, action_parameters, ratelimit, logging } = rule;
  return {
    description,
    enabled,
    expression,
    action,
    parameters: { [action]: action_parameters },
    ratelimit,
    isLogged: logging?.enabled ?? true,
  };
}

export function withAction(draft: RuleDraft, action: Action, phase: Phase): RuleDraft {
  const schema = schemaOf(action, phase, undefined);
  const parameters =
    action in draft.parameters || schema === undefined || !needsParameters(action)
      ? draft.parameters
      : { ...draft.parameters, [action]: initialParameters(schema, action) };
  return { ...draft, action, parameters };
}

/** The body that makes a draft the rule; what is not edited here stays as `before` has it. */
export function toBody(draft: RuleDraft, phase: Phase, before?: Rule): RuleBody {
  const { description, enabled, expression, action, parameters, ratelimit, isLogged } = draft;
  const given = parameters[action];
  const { exposed_credential_check: check, id, ref } = before ?? {};
  return {
    ...(id !== undefined && { id }),
    ...(ref !== undefined && { ref }),
    action,
    ...(given !== undefined &&
      (needsParameters(action) || Object.keys(fieldsOf(given)).length > 0) && {
        action_parameters: fieldsOf(given),
      }),
    expression,
    description,
    enabled,
    ...(action === "skip" && { logging: { enabled: isLogged } }),
    ...(hasRateLimit(phase, action) && { ratelimit: ratelimit as NonNullable<Rule["ratelimit"]> }),
    ...(check !== undefined && { exposed_credential_check: check }),
  };
}

/** The same rule while it only logs. */
export function onlyLogging({
  action_parameters: _parameters,
  logging: _logging,
  ...rule
}: RuleBody): RuleBody {
  return { ...rule, action: "log" };
}

const acting: ReadonlySet<Action> = new Set(["block", "challenge", "js_challenge", "managed_challenge"]);

/** The actions that a rule of the phase may log first, in their order. */
export const actingActions = (phase: Phase): readonly Action[] =>
  phaseDefinitions[phase].actions.includes("log")
    ? phaseDefinitions[phase].actions.filter((action) => acting.has(action))
    : [];

const isRateLimit = (phase: Phase): boolean => phase === "http_ratelimit";

export const hasRateLimit = (phase: Phase, action: Action): boolean =>
  isRateLimit(phase) && action !== "execute";

export const rateLimitSchema = rateLimit.schema as ObjectSchema;

const initialRateLimit = {
  characteristics: ["ip.src", "cf.colo.id"],
  period: 60,
  requests_per_period: 100,
  mitigation_timeout: 60,
};

/** Fields that an action has in other phases only. */
const elsewhere: Readonly<Partial<Record<Action, Readonly<Partial<Record<Phase, readonly string[]>>>>>> = {
  rewrite: {
    http_request_transform: ["headers"],
    http_request_late_transform: ["uri"],
    http_response_headers_transform: ["uri"],
  },
  redirect: { http_request_dynamic_redirect: ["from_list"] },
  skip: {
    http_request_firewall_custom: ["rulesets", "rules"],
    http_request_sbfm: ["phase", "phases", "products"],
    http_response_firewall_managed: ["phase", "phases", "products"],
  },
};

/** The schema of an action's parameters in a phase; undefined where there are none. */
export function schemaOf(action: Action, phase: Phase, value: unknown): ObjectSchema | undefined {
  const schema = parametersSchema(action);
  if (schema?.kind !== "object") return undefined;
  const hidden = elsewhere[action]?.[phase]?.filter((name) => !(name in fieldsOf(value))) ?? [];
  const fields = Object.entries(schema.fields).filter(([name]) => !hidden.includes(name));
  if (fields.length === 0) return undefined;
  return {
    ...schema,
    fields: Object.fromEntries(fields),
    ...(schema.alternatives && {
      alternatives: schema.alternatives.filter((name) => !hidden.includes(name)),
    }),
  };
}

/** A block answers by itself; others say what they do. */
const needsParameters = (action: Action): boolean =>
  action !== "block" && parametersSchema(action) !== undefined;

/** With the one field that the phase is about. */
function initialParameters(schema: ObjectSchema, action: Action): unknown {
  const [name, field] = Object.entries(schema.fields)[0] ?? [];
  const isAlone = Object.keys(schema.fields).length === 1;
  const initial = initialOf(schema);
  if (action === "redirect") return { ...fieldsOf(initial), ...firstRedirect(schema) };
  return isAlone && name !== undefined && field !== undefined ? { [name]: firstOf(field.schema) } : initial;
}

function firstRedirect(schema: ObjectSchema): object {
  return schema.alternatives?.[0] === "from_value"
    ? { from_value: { status_code: 301, target_url: { value: "" } } }
    : {};
}

function firstOf(schema: Schema): unknown {
  if (schema.kind !== "object") return initialOf(schema);
  const [name, field] = Object.entries(schema.fields)[0] ?? [];
  return name === undefined || field === undefined ? {} : { [name]: initialOf(field.schema) };
}
