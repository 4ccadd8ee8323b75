import { Fieldset } from "@mantine/core";
import { useMemo } from "react";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ObjectFields } from "./parameters/form-field.tsx";
import { knownAs } from "./parameters/labels.ts";
import { SurroundingsContext } from "./parameters/surroundings.ts";
import { schemaOf, hasRateLimit, rateLimitSchema, type RuleDraft } from "./rule-draft.ts";
import type { RulesScope } from "./scope.ts";

interface ParameterFieldsProps {
  readonly scope: RulesScope;
  readonly phase: Phase;
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
  readonly error: ApiError | null;
}

/** The usual characteristics of clients in rate limits. */
const characteristics = [
  "ip.src",
  "ip.nat",
  "cf.colo.id",
  "cf.unique_visitor_id",
  "ip.src.country",
  "ip.src.asnum",
  "http.host",
  "http.request.uri.path",
  'http.request.headers["x-api-key"]',
  'http.request.cookies["session"]',
  'http.request.uri.args["key"]',
].map((value) => ({ value, label: knownAs(value) }));

/** The parameters of the action, and the limit of rate limiting rules. */
export function ParameterFields({ scope, phase, draft, onChange, error }: ParameterFieldsProps) {
  const { action, parameters, ratelimit } = draft;
  const schema = schemaOf(action, phase, parameters[action]);
  const rulesets = useApi(call("listRulesets", scope.owner), { enabled: action === "execute" }).data?.result;
  const lists = useApi(call("listLists", { account_id: scope.accountId ?? "" }), {
    enabled: action === "redirect" && scope.accountId !== undefined,
  }).data?.result;
  const surroundings = useMemo(
    () => ({
      error,
      use: { phase, plan: scope.plan },
      choices: {
        "/ratelimit/characteristics": characteristics,
        ...(rulesets && {
          "/action_parameters/id": rulesets
            .filter((one) => one.phase === phase && (one.kind === "managed" || one.kind === "custom"))
            .map(({ id, name }) => ({ value: id, label: name })),
        }),
        ...(lists && {
          "/action_parameters/from_list/name": lists
            .filter(({ kind }) => kind === "redirect")
            .map(({ name }) => ({ value: name, label: name })),
        }),
      },
    }),
    [error, phase, scope.plan, rulesets, lists],
  );
  return (
    <SurroundingsContext value={surroundings}>
      {hasRateLimit(phase, action) && (
        <Fieldset legend="Limit" p="sm">
          <ObjectFields
            schema={rateLimitSchema}
            label="limit"
            value={ratelimit}
            onChange={(changed) => onChange({ ...draft, ratelimit: changed })}
            pointer="/ratelimit"
          />
        </Fieldset>
      )}
      {schema !== undefined && (
        <Fieldset legend="Parameters" p="sm">
          <ObjectFields
            schema={schema}
            label="parameters"
            value={parameters[action]}
            onChange={(changed) => onChange({ ...draft, parameters: { ...parameters, [action]: changed } })}
            pointer="/action_parameters"
          />
        </Fieldset>
      )}
    </SurroundingsContext>
  );
}
