import assert from "node:assert/strict";

import { memberGroups } from "../../src/core/policy/member-groups.ts";
import type { TestApp } from "./harness.ts";

/** The id of the first permission group for members of that label. */
export function groupLabelled(label: string): string {
  return memberGroups.find((group) => group.label === label)?.id ?? assert.fail(label);
}

/** A policy of a member as it is sent. */
export function memberPolicy(
  access: "allow" | "deny",
  labels: readonly string[],
  resourceGroupIds: readonly string[],
) {
  return {
    access,
    permission_groups: labels.map((label) => ({ id: groupLabelled(label) })),
    resource_groups: resourceGroupIds.map((id) => ({ id })),
  };
}

/** The scope of a resource group: those zones of the account. */
export function scopeOf(accountId: string, zoneIds: readonly string[]) {
  return {
    key: `com.cloudflare.api.account.${accountId}`,
    objects: zoneIds.map((id) => ({ key: `com.cloudflare.api.account.zone.${id}` })),
  };
}

/** Makes a resource group of zones in the owner's account and answers its id. */
export async function addResourceGroup(
  app: TestApp,
  name: string,
  zoneIds: readonly string[],
): Promise<string> {
  const { accountId } = app.owner;
  const { status, text, body } = await app.request("POST", `/accounts/${accountId}/iam/resource_groups`, {
    body: { name, scope: scopeOf(accountId, zoneIds) },
  });
  assert.equal(status, 200, text);
  return body.result.id as string;
}
