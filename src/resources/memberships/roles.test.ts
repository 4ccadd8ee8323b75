import assert from "node:assert/strict";
import { test } from "node:test";

import { AppError } from "../../core/error.ts";
import { compilePolicies } from "../../core/policy/grants.ts";
import { findRoleCalled, policiesOfUser, type Role } from "../../core/policy/roles.ts";
import { refuseRolesBeyondRights } from "./roles.ts";

const accountId = "a".repeat(32);
const role = (name: string): Role => findRoleCalled(name) ?? assert.fail(name);

// Today only super administrators get as far as here, who lack nothing; the bound holds for whoever else will.
test("nobody hands on a role that permits more than the owner of its credentials may do", () => {
  const memberships = [{ accountId, roleIds: [role("Administrator").id] }];
  const caller = { ownerGrants: compilePolicies(policiesOfUser("u", memberships)) };
  refuseRolesBeyondRights(caller, accountId, [role("DNS"), role("Administrator")]);
  const attempts = [
    [accountId, [role("DNS"), role("Billing")], "Requires all that the role `Billing` permits"],
    ["b".repeat(32), [role("DNS")], "Requires all that the role `DNS` permits"],
  ] as const;
  for (const [id, given, message] of attempts) {
    assert.throws(
      () => refuseRolesBeyondRights(caller, id, given),
      (error) => error instanceof AppError && error.code === 9109 && error.message === message,
    );
  }
});
