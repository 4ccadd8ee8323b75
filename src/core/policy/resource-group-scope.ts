import { errorCodes } from "../error-codes.ts";
import { invalidBody } from "../error.ts";
import type { ResourceScope } from "./resource-keys.ts";

export interface ResourceGroupScopeBody {
  readonly key: string;
  readonly objects: readonly { readonly key: string }[];
}

/** The keys of the account of a group. `vendor` is the brand segment of keys. */
interface AccountKeys {
  readonly accountId: string;
  readonly vendor: string;
}

/**
 * Parses the scope of a resource group, without checking that its zones exist. Errors: 400 code 1001 for
 * another account, and at the first object that is not `*`, all zones or a zone.
 */
export function parseResourceGroupScope(
  { key, objects }: ResourceGroupScopeBody,
  { accountId, vendor }: AccountKeys,
): ResourceScope[] {
  const prefix = `com.${vendor}.api.account`;
  if (key !== `${prefix}.${accountId}`) throw refused("/scope/key", `must be ${prefix}.${accountId}`);
  return objects.map((object, index) => {
    if (object.key === "*") return { type: "account", id: accountId };
    if (object.key === `${prefix}.zone.*`) return { type: "zones-of-account", accountId };
    const [, id] = /^([0-9a-f]{32})$/.exec(object.key.replace(`${prefix}.zone.`, "")) ?? [];
    if (id !== undefined && object.key.startsWith(prefix)) return { type: "zone", id };
    throw refused(`/scope/objects/${index}/key`, `must be *, ${prefix}.zone.* or ${prefix}.zone.ID`);
  });
}

/** The inverse of `parseResourceGroupScope`. */
export function printResourceGroupScope(
  scopes: readonly ResourceScope[],
  { accountId, vendor }: AccountKeys,
): { key: string; objects: { key: string }[] } {
  const prefix = `com.${vendor}.api.account`;
  return {
    key: `${prefix}.${accountId}`,
    objects: scopes.map((scope) => {
      if (scope.type === "account") return { key: "*" };
      return { key: `${prefix}.zone.${scope.type === "zone" ? scope.id : "*"}` };
    }),
  };
}

function refused(pointer: string, rule: string): Error {
  return invalidBody(pointer, rule, errorCodes.members.invalid);
}
