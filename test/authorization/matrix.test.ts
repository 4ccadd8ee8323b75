import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import type { Caller } from "../../src/core/policy/caller.ts";
import { AppError } from "../../src/core/error.ts";
import { compilePolicies, limitGrants, type Grants } from "../../src/core/policy/grants.ts";
import { permissionGroups, type PermissionGroup } from "../../src/core/policy/permission-groups.ts";
import { policiesOfRoles, policiesOfUser, superAdministratorId } from "../../src/core/policy/roles.ts";
import { createAuthorizer } from "../../src/resources/authorization/authorization.ts";
import type { Owner } from "../../src/resources/users/users.ts";
import { operations } from "../../src/server/operations.ts";
import { startTestApp } from "../support/harness.ts";
import { openStore } from "../support/store.ts";

const goldenFile = join(import.meta.dirname, "permission-matrix.txt");

/** For each group, a caller whose token has it alone, on the user, the account and all of its zones. */
function callersWithOneGroup({ userId, accountId }: Owner): readonly (readonly [PermissionGroup, Caller])[] {
  const owner = compilePolicies(policiesOfUser(userId, policiesOfRoles(accountId, [superAdministratorId])));
  return permissionGroups.map((group) => [group, callerWith(group, { userId, accountId }, owner)]);
}

function callerWith(
  group: PermissionGroup,
  { userId, accountId }: Pick<Owner, "userId" | "accountId">,
  owner: Grants,
): Caller {
  const token = compilePolicies([
    {
      id: "p",
      effect: "allow",
      resources: [
        { type: "user", id: userId },
        { type: "account", id: accountId },
        { type: "zones-of-account", accountId },
      ],
      groupIds: [group.id],
    },
  ]);
  return {
    user: { id: userId, email: "owner@example.com" },
    credential: { kind: "token", tokenId: "", accountId: undefined },
    accountIds: [accountId],
    grants: limitGrants(token, owner),
    grantors: [userId],
    address: "192.0.2.1",
    noteAuditLog: () => undefined,
  };
}

test("each permission group opens exactly the operations of permission-matrix.txt", async (t) => {
  const app = await startTestApp(t, "sqlite");
  const names = { zone_id: await app.createZone("example.com"), account_id: app.owner.accountId };
  const authorize = createAuthorizer(await openStore(t, app), "cloudflare");

  const callers = callersWithOneGroup(app.owner);
  const lines: string[] = [];
  for (const route of operations) {
    const { access } = route;
    const heading = `${route.operation}: ${route.method} ${route.path}`;
    if (typeof access !== "object") {
      lines.push(`${heading}\n  ${access}`);
      continue;
    }
    const opening: PermissionGroup[] = [];
    for (const [group, caller] of callers) {
      try {
        await authorize(caller, access, names);
        opening.push(group);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    lines.push(`${heading}\n${describeGroups(opening)}`);
  }
  const matrix = `${lines.join("\n")}\n`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(goldenFile, matrix);
  assert.equal(readFileSync(goldenFile, "utf8"), matrix);
});

function describeGroups(groups: readonly PermissionGroup[]): string {
  if (groups.length === permissionGroups.length) return "  every group";
  return (["zone", "account", "user", "r2-bucket"] as const)
    .flatMap((scope) => {
      const all = permissionGroups.filter((group) => group.scope === scope);
      const opening = groups.filter((group) => group.scope === scope);
      if (opening.length === 0) return [];
      if (opening.length === all.length && all.length > 2) return [`  every group of scope ${scope}`];
      return opening.map(({ name }) => `  ${name} (${scope})`);
    })
    .join("\n");
}
