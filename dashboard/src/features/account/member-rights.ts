import type { Member, MemberPolicyBody } from "../../../../src/resources/memberships/schema.ts";

type Policy = Member["policies"][number];

/** Whether a member's rights are said by the names of what it may do in all of the account. */
export function isByRoles({ policies }: Pick<Member, "policies">, accountId: string): boolean {
  const [only, ...others] = policies;
  return others.length === 0 && (only === undefined || (only.access === "allow" && isWhole(only, accountId)));
}

/** The rights of a member, in a few words. */
export function rightsText(
  { policies, roles }: Pick<Member, "policies" | "roles">,
  accountId: string,
): string {
  if (isByRoles({ policies }, accountId)) return named(roles);
  return policies
    .map((policy) => {
      const what = named(policy.permission_groups);
      const where = isWhole(policy, accountId) ? "everything" : named(policy.resource_groups);
      return `${policy.access === "deny" ? "Never " : ""}${what} on ${where}`;
    })
    .join("; ");
}

/** The body of a policy. A policy that is not changed keeps its id. */
export function bodyOfPolicy({ access, permission_groups, resource_groups }: Policy): MemberPolicyBody {
  return {
    access,
    permission_groups: permission_groups.map(({ id }) => ({ id })),
    resource_groups: resource_groups.map(({ id }) => ({ id })),
  };
}

/** The group of the whole account has its id. */
function isWhole({ resource_groups }: Policy, accountId: string): boolean {
  return resource_groups.every(({ id }) => id === accountId);
}

function named(things: readonly { readonly name: string }[]): string {
  return things.map(({ name }) => name).join(", ");
}
