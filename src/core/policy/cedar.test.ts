import assert from "node:assert/strict";
import { test } from "node:test";

import { isAuthorized, type EntityJson, type EntityUidJson } from "@cedar-policy/cedar-wasm/nodejs";
import * as fc from "fast-check";

import { decide, type Resource } from "./evaluate.ts";
import { compilePolicies, type Policy } from "./grants.ts";
import type { PermissionGroup } from "./permission-groups.ts";
import {
  anyGroup,
  anyResource,
  fittingPolicies,
  groups,
  namedIds,
} from "../../../test/support/arbitraries/policies.ts";
import { groupScopeOf, type ResourceScope } from "./resource-keys.ts";

const everyId = [...namedIds, "3"];

interface Uid {
  readonly type: string;
  readonly id: string;
}

const uid = (type: string, id: string): Uid => ({ type, id });
const entity = (of: Uid, ...parents: Uid[]): EntityJson => ({ uid: of, attrs: {}, parents });
const print = ({ type, id }: Uid): string => `${type}::${JSON.stringify(id)}`;

/** A resource key as an entity that resources are in. */
function place(scope: ResourceScope): Uid {
  const id = scope.type === "zones-of-account" ? scope.accountId : scope.id;
  if (id === "*") return uid("Everything", groupScopeOf(scope));
  return uid(scope.type === "zones-of-account" ? "ZonesOfAccount" : scope.type, id);
}

const hierarchy: readonly EntityJson[] = everyId.flatMap((id) => [
  entity(uid("ZonesOfAccount", id), uid("account", id), uid("Everything", "zone")),
  entity(uid("account", id), uid("Everything", "account")),
]);

function resourceEntity(resource: Resource): EntityJson {
  switch (resource.type) {
    case "zone":
      return entity(uid("zone", resource.id), uid("ZonesOfAccount", resource.accountId));
    case "zones-of-account":
      return entity(uid("zone", "yet to be made"), uid("ZonesOfAccount", resource.accountId));
    case "account":
      return entity(uid("account", resource.id), uid("Everything", "account"));
    case "user":
      return entity(uid("user", resource.id));
  }
}

/** The actions, each in the groups that permit or forbid it. */
const actions: readonly EntityJson[] = groups.map((group) => {
  const write = groups.find(
    ({ name, scope }) => scope === group.scope && name === group.name.replace(/ Read$/, " Write"),
  );
  const read = groups.find(
    ({ name, scope }) => scope === group.scope && name === group.name.replace(/ Write$/, " Read"),
  );
  const parents = [group, write].map((granting) => uid("Action", `permit ${granting?.id}`));
  return entity(action(group), ...parents, ...[group, read].map((it) => uid("Action", `forbid ${it?.id}`)));
});

function action(group: PermissionGroup): Uid {
  return uid("Action", group.id);
}

function cedarPolicy({ effect, groupIds, resources }: Policy): string {
  const verb = effect === "allow" ? "permit" : "forbid";
  const reached = groupIds.map((id) => print(uid("Action", `${verb} ${id}`)));
  const places = resources.map((scope) => print(place(scope)));
  return `${verb} (principal, action in [${reached.join()}], resource) when { resource in [${places.join()}] };`;
}

test("Cedar decides the same, by the same policies", () => {
  const allowedOf = { allow: 0, deny: 0 };
  const property = fc.property(fittingPolicies, anyGroup, anyResource, (policies, group, resource) => {
    // A request for a group of another type has no counterpart in Cedar.
    fc.pre(group.scope === (resource.type === "zones-of-account" ? "zone" : resource.type));
    const asked = resourceEntity(resource);
    const answer = isAuthorized({
      principal: uid("Token", "any"),
      action: action(group),
      resource: asked.uid,
      context: {},
      policies: {
        staticPolicies: Object.fromEntries(policies.map((policy) => [policy.id, cedarPolicy(policy)])),
      },
      entities: [...actions, ...hierarchy.filter((one) => !isSame(one.uid, asked.uid)), asked],
    });
    assert.ok(answer.type === "success", JSON.stringify(answer));
    const { decision, diagnostics } = answer.response;
    assert.deepEqual(diagnostics.errors, []);
    const ours = decide(compilePolicies(policies), group, resource);
    assert.equal(ours.allowed ? "allow" : "deny", decision);
    assert.equal(ours.policyId, policies.find(({ id }) => diagnostics.reason.includes(id))?.id);
    allowedOf[decision] += 1;
  });
  fc.assert(property, { numRuns: 4000 });
  assert.ok(allowedOf.allow > 400 && allowedOf.deny > 400, JSON.stringify(allowedOf));
});

function isSame(one: EntityUidJson, other: EntityUidJson): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
