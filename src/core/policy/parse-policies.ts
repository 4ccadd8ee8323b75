import { errorCodes } from "../error-codes.ts";
import { invalidRequest } from "../error.ts";
import type { Policy } from "./grants.ts";
import { accountAccess, findPermissionGroup } from "./permission-groups.ts";
import { invalidTokenBody, type BodyPath } from "./token-error.ts";
import { parseResources, reachOf, type ResourceScope } from "./resource-keys.ts";

/** A policy in a body, with checked types. */
export interface PolicyBody {
  readonly id?: string | null | undefined;
  readonly effect: Policy["effect"];
  readonly resources: Readonly<Record<string, unknown>>;
  readonly permission_groups: readonly { readonly id: string }[];
}

/** A well-formed policy. The existence of its resources is checked elsewhere. */
export type ParsedPolicy = Omit<Policy, "id"> & {
  readonly id: string | undefined;
};

interface ParseOptions {
  /** The brand segment of resource keys. */
  readonly vendor: string;
  /** Whether policies may have ids, as in replaced tokens. */
  readonly acceptIds: boolean;
}

/**
 * The `policies` of a token. Errors: 400 code 1001 with a pointer to the first error: an empty list, an
 * unknown group or resource key, a group that does not fit all resources of its policy, an id where none is
 * accepted.
 */
export function parsePolicies(
  bodies: readonly PolicyBody[],
  { vendor, acceptIds }: ParseOptions,
): ParsedPolicy[] {
  if (bodies.length === 0) throw invalidTokenBody(["policies"], "must hold at least one policy");
  return bodies.map((body, index) => {
    const path = ["policies", index];
    if (body.id != null && !acceptIds) {
      throw invalidRequest(
        errorCodes.tokens.invalid,
        "Reusing existing policies is not supported by token creation",
        `/policies/${index}/id`,
      );
    }
    const resources = parseResources(body.resources, vendor, [...path, "resources"]);
    if (resources.length === 0)
      throw invalidTokenBody([...path, "resources"], "must name at least one resource");
    const groupIds = parseGroups(body.permission_groups, resources, [...path, "permission_groups"]);
    return { id: body.id ?? undefined, effect: body.effect, resources, groupIds };
  });
}

function parseGroups(
  bodies: PolicyBody["permission_groups"],
  resources: readonly ResourceScope[],
  path: BodyPath,
): string[] {
  if (bodies.length === 0) throw invalidTokenBody(path, "must name at least one permission group");
  const ids = bodies.map(({ id }, index) => {
    const group = findPermissionGroup(id);
    if (group === undefined || group === accountAccess)
      throw invalidTokenBody([...path, index, "id"], "there is no such permission group");
    if (!resources.every((resource) => reachOf(resource, group.scope))) {
      const message = `Failed common permission check against resources. (Permission group: "${group.name}")`;
      throw invalidRequest(errorCodes.tokens.invalid, message, `/${[...path, index, "id"].join("/")}`);
    }
    return id;
  });
  return [...new Set(ids)];
}
