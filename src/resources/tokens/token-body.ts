import {
  compileAddressCondition,
  conditionKeys,
  parseTimeWindow,
  type AddressCondition,
} from "../../core/policy/conditions.ts";
import { parsePolicies, type ParsedPolicy } from "../../core/policy/parse-policies.ts";
import { invalidTokenBody } from "../../core/policy/token-error.ts";
import { toJson } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";
import type { AddressConditionBody, CreateTokenBody } from "./schema.ts";

/** The fields of a token body. */
export type TokenFields = Pick<TokenRow, "name" | "condition" | "not_before" | "expires_on"> & {
  readonly policies: readonly ParsedPolicy[];
};

interface ParseOptions {
  readonly vendor: string;
  /** Whether policies may have ids, as in replacements. */
  readonly acceptIds: boolean;
}

/** Errors: 400 code 1001 with a pointer to the first error (docs/decisions/0012-strict-token-bodies.md). */
export function parseTokenBody(body: CreateTokenBody, options: ParseOptions): TokenFields {
  const policies = parsePolicies(body.policies, options);
  const { not_before = null, expires_on = null } = body;
  parseTimeWindow({ not_before, expires_on });
  return { name: body.name, policies, not_before, expires_on, condition: parseCondition(body.condition) };
}

/** Refuses two keys with different conditions: one of them would be ignored. */
function parseCondition(body: CreateTokenBody["condition"]): TokenRow["condition"] {
  const sent = conditionKeys.flatMap((key) => {
    const addresses = body?.[key];
    return addresses == null ? [] : [{ key, condition: toCondition(addresses) }];
  });
  for (const { key, condition } of sent) compileAddressCondition(condition, ["condition", key]);
  const [first, second] = sent;
  if (first === undefined) return null;
  if (second !== undefined && toJson(first.condition) !== toJson(second.condition)) {
    throw invalidTokenBody(["condition", second.key], `must say the same as \`${first.key}\``);
  }
  return toJson({ ...first.condition, sentAs: sent.map(({ key }) => key) });
}

function toCondition(sent: AddressConditionBody): AddressCondition {
  return { ...(sent.in && { in: sent.in }), ...(sent.not_in && { not_in: sent.not_in }) };
}
