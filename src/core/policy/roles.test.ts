import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { compilePolicies } from "./grants.ts";
import {
  coversRole,
  findRole,
  findRoleCalled,
  policiesOfRoles,
  policiesOfUser,
  roles,
  superAdministratorId,
} from "./roles.ts";

const accountId = "a".repeat(32);

function grantsOf(roleId: string) {
  return compilePolicies(policiesOfUser("user", policiesOfRoles(accountId, [roleId])));
}

function coveredBy(name: string): string[] {
  const grants = grantsOf(findRoleCalled(name)?.id ?? assert.fail());
  return roles.filter((role) => coversRole(grants, role, accountId)).map((role) => role.name);
}

describe("coversRole", () => {
  test("a role covers itself, and a super administrator every role", () => {
    for (const role of roles) {
      assert.ok(coversRole(grantsOf(role.id), role, accountId), role.name);
      assert.ok(coversRole(grantsOf(superAdministratorId), role, accountId), role.name);
    }
  });

  test("who lacks any of what a role permits does not cover it", () => {
    const beyondAdministrators = new Set(["Super Administrator - All Privileges", "Billing"]);
    const covered = roles.map(({ name }) => name).filter((name) => !beyondAdministrators.has(name));
    assert.deepEqual(coveredBy("Administrator"), covered);
    assert.deepEqual(coveredBy("Billing"), ["Billing", "Minimal Account Access"]);
    assert.deepEqual(coveredBy("Log Share"), ["Log Share", "Log Share Reader", "Minimal Account Access"]);
  });

  test("what is allowed in one account covers nothing in another", () => {
    for (const role of roles) assert.ok(!coversRole(grantsOf(superAdministratorId), role, "b".repeat(32)));
  });
});

test("a role is found by its id, or by its name in any case", () => {
  for (const role of roles) {
    assert.equal(findRole(role.id), role);
    for (const text of [role.id, role.name, role.name.toUpperCase()])
      assert.equal(findRoleCalled(text), role);
  }
  assert.equal(findRoleCalled("Admin"), undefined);
});
