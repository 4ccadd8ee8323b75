import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { decide, type Resource } from "../../src/core/policy/evaluate.ts";
import { compilePolicies, limitGrants, type Grants } from "../../src/core/policy/grants.ts";
import { findMemberGroup } from "../../src/core/policy/member-groups.ts";
import { permissionGroups } from "../../src/core/policy/permission-groups.ts";
import { superAdministratorId } from "../../src/core/policy/roles.ts";
import { rightsOfAccount, rightsOfUser } from "../../src/resources/memberships/memberships.ts";
import { fromJson } from "../../src/storage/columns.ts";
import { startTestApp, type TestApp } from "../support/harness.ts";
import { groupLabelled, memberPolicy, scopeOf } from "../support/member-api.ts";
import { roundsOr } from "../support/rounds.ts";
import { addUser, besideServer, openStore } from "../support/store.ts";

/** Places of a policy: the whole account, or a resource group that begins with one of its two zones. */
const places = ["whole", "first", "second"] as const;
type Place = (typeof places)[number];

const zoneLabels = ["dns_write", "zone_write", "cache_purge", "domain_dns", "domain_admin"] as const;
const accountLabels = [
  "all_privileges",
  "admin",
  "billing_write",
  "account_settings_write",
  "dns_admin",
] as const;

const policy = fc.oneof(
  fc.record({
    access: fc.constantFrom("allow" as const, "allow" as const, "deny" as const),
    labels: fc.subarray([...zoneLabels], { minLength: 1, maxLength: 2 }),
    places: fc.subarray([...places], { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    access: fc.constantFrom("allow" as const, "deny" as const),
    labels: fc.subarray([...accountLabels], { minLength: 1, maxLength: 2 }),
    places: fc.constant<Place[]>(["whole"]),
  }),
);
const policies = fc.array(policy, { minLength: 1, maxLength: 3 });
type Policies = {
  readonly access: "allow" | "deny";
  readonly labels: readonly string[];
  readonly places: readonly Place[];
}[];

const denied = fc.array(
  fc.record({
    access: fc.constant("deny" as const),
    labels: fc.constantFrom(["dns_write"], ["zone_write"], ["domain_admin"], ["cache_purge"]),
    places: fc.constantFrom<Place[]>(["first"], ["second"]),
  }),
  { maxLength: 2 },
);
/** Enough to give something away, and less than everything. */
const beginning = fc
  .tuple(fc.constantFrom("all_privileges", "account_settings_write"), policies, denied)
  .map(([label, others, without]): Policies => {
    const first: Policies[number] = {
      access: "allow",
      labels: [label, "account_api_tokens_write"],
      places: ["whole"],
    };
    return [[first], others, without].flat();
  });

const by = fc.nat(5);
const which = fc.nat(5);
const step = fc.oneof(
  fc.record({ do: fc.constant("invite" as const), by, policies }),
  fc.record({ do: fc.constant("accept" as const) }),
  fc.record({ do: fc.constant("edit-member" as const), by, which, policies }),
  fc.record({ do: fc.constant("give-role" as const), by, which }),
  fc.record({ do: fc.constant("remove" as const), by, which }),
  fc.record({
    do: fc.constant("change-group" as const),
    by,
    place: fc.constantFrom("first" as const, "second" as const),
    zones: fc.constantFrom([0], [1], [0, 1]),
  }),
  fc.record({
    do: fc.constant("make-token" as const),
    by,
    label: fc.constantFrom(
      "dns_write",
      "zone_write",
      "billing_write",
      "account_settings_write",
      "account_api_tokens_write",
    ),
    on: fc.constantFrom("whole" as const, "first" as const, "second" as const),
  }),
  fc.record({ do: fc.constant("owner-limits-attacker" as const), policies: denied }),
  fc.record({ do: fc.constant("make-user-group" as const), by, policies }),
  fc.record({ do: fc.constant("edit-user-group" as const), by, which, policies: fc.oneof(policies, denied) }),
  fc.record({ do: fc.constant("join" as const), by, which, member: which }),
  fc.record({ do: fc.constant("leave" as const), by, which, member: which }),
  fc.record({
    do: fc.constant("set-members" as const),
    by,
    which,
    members: fc.array(which, { maxLength: 2 }),
  }),
  fc.record({ do: fc.constant("delete-user-group" as const), by, which }),
);

interface Credential {
  readonly userId?: string;
  readonly tokenId?: string;
  readonly headers: Record<string, string>;
}

/** The rights of a set of grants in an account, as texts that can be compared. */
function allowedIn(grants: Grants, accountId: string, zoneIds: readonly string[]): Set<string> {
  const zones: readonly Resource[] = [
    { type: "zones-of-account", accountId },
    ...zoneIds.map((id) => ({ type: "zone", id, accountId }) as const),
  ];
  const allowed = permissionGroups.flatMap((group) => {
    if (group.scope === "user") return [];
    const resources: readonly Resource[] =
      group.scope === "account" ? [{ type: "account", id: accountId }] : zones;
    return resources
      .filter((resource) => decide(grants, group, resource).allowed)
      .map((resource) => `${group.name} ${JSON.stringify(resource)}`);
  });
  return new Set(allowed);
}

async function makeAccount(app: TestApp, round: number) {
  const { body } = await app.request("POST", "/accounts", { body: { name: `account ${round}` } });
  const accountId = body.result.id as string;
  const zoneIds: string[] = [];
  const groups: Record<Place, string> = { whole: accountId, first: "", second: "" };
  for (const place of ["first", "second"] as const) {
    const sent = { name: `${place}-${round}.example`, account: { id: accountId } };
    const zone = (await app.request("POST", "/zones", { body: sent })).body.result.id as string;
    zoneIds.push(zone);
    const made = await app.request("POST", `/accounts/${accountId}/iam/resource_groups`, {
      body: { name: place, scope: scopeOf(accountId, [zone]) },
    });
    groups[place] = made.body.result.id as string;
  }
  return { accountId, zoneIds, groups };
}

test("no chain of members with policies, resource groups, user groups, invites and tokens gains a right in any zone", async (t) => {
  const count = roundsOr(40);
  const app = await startTestApp(t, "sqlite", { create_accounts: "owner", account_token_quota: 100_000 });
  const store = await openStore(t, app);
  let round = 0;
  const succeeded = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(
      beginning,
      denied,
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (given, hidden, steps) => {
        round += 1;
        const { accountId, zoneIds, groups } = await makeAccount(app, round);
        const base = `/accounts/${accountId}`;
        const bodyOf = (sent: Policies) => ({
          policies: sent.map(({ access, labels, places: at }) =>
            memberPolicy(
              access,
              labels,
              at.map((place) => groups[place]),
            ),
          ),
        });
        const attacker = await addUser(app, `attacker-${round}@example.com`, {
          account: accountId,
          role: "Billing",
        });
        const puppet = await addUser(app, `puppet-${round}@example.com`);
        const members = (await app.request("GET", `${base}/members`)).body.result as {
          id: string;
          email: string;
        }[];
        const ownId = members.find(({ email }) => email === attacker.email)?.id ?? assert.fail();
        const begun = await app.request("PUT", `${base}/members/${ownId}`, { body: bodyOf(given) });
        assert.equal(begun.status, 200, begun.text);

        const userGroups = `${base}/iam/user_groups`;
        const limiting = await app.request("POST", userGroups, {
          body: { name: "limits", ...bodyOf(hidden) },
        });
        assert.equal(limiting.status, 200, limiting.text);
        const userGroupIds = [limiting.body.result.id as string];
        await app.request("POST", `${userGroups}/${userGroupIds[0]}/members`, { body: [{ id: ownId }] });

        const held: Credential[] = [{ userId: attacker.id, headers: attacker.headers }];
        const memberIds = [ownId];
        const initial = allowedIn((await rightsOfUser(store.read, attacker.id)).grants, accountId, zoneIds);
        let inviteId: string | undefined;
        const pick = <Item>(items: readonly Item[], at: number): Item =>
          items[at % items.length] ?? assert.fail();
        const send = async (
          turn: { readonly do: string },
          at: number,
          method: string,
          path: string,
          body?: object,
        ) => {
          const { headers } = pick(held, at);
          const answer = await app.request(method, base + path, { headers, ...(body && { body }) });
          assert.ok(answer.status < 500, answer.text);
          if (answer.status === 200) succeeded.set(turn.do, (succeeded.get(turn.do) ?? 0) + 1);
          return answer;
        };

        for (const turn of steps) {
          switch (turn.do) {
            case "invite": {
              const body = { email: puppet.email, ...bodyOf(turn.policies) };
              const answer = await send(turn, turn.by, "POST", "/members", body);
              if (answer.status !== 200) break;
              inviteId = answer.body.result.id;
              memberIds.push(answer.body.result.id);
              break;
            }
            case "accept":
              if (inviteId === undefined) break;
              await app.request("PATCH", `/user/invites/${inviteId}`, {
                headers: puppet.headers,
                body: { status: "accepted" },
              });
              held.push({ userId: puppet.id, headers: puppet.headers });
              break;
            case "edit-member":
              await send(
                turn,
                turn.by,
                "PUT",
                `/members/${pick(memberIds, turn.which)}`,
                bodyOf(turn.policies),
              );
              break;
            case "give-role":
              await send(turn, turn.by, "PUT", `/members/${pick(memberIds, turn.which)}`, {
                roles: [superAdministratorId],
              });
              break;
            case "remove":
              await send(turn, turn.by, "DELETE", `/members/${pick(memberIds, turn.which)}`);
              break;
            case "change-group":
              await send(turn, turn.by, "PUT", `/iam/resource_groups/${groups[turn.place]}`, {
                scope: scopeOf(
                  accountId,
                  turn.zones.map((index) => zoneIds[index] ?? assert.fail()),
                ),
              });
              break;
            case "make-token": {
              const group = findMemberGroup(groupLabelled(turn.label)) ?? assert.fail();
              const zone = zoneIds[turn.on === "first" ? 0 : 1] ?? assert.fail();
              const onZone = turn.on !== "whole" && group.scope === "zone";
              const key = onZone
                ? `com.cloudflare.api.account.zone.${zone}`
                : `com.cloudflare.api.account.${accountId}`;
              const answer = await send(turn, turn.by, "POST", "/tokens", {
                name: "t",
                policies: [
                  { effect: "allow", resources: { [key]: "*" }, permission_groups: [{ id: group.id }] },
                ],
              });
              if (answer.status !== 200) break;
              const { id, value } = answer.body.result;
              held.push({ tokenId: id, headers: { authorization: `Bearer ${value}` } });
              break;
            }
            case "make-user-group": {
              const body = { name: "made", ...bodyOf(turn.policies) };
              const answer = await send(turn, turn.by, "POST", "/iam/user_groups", body);
              if (answer.status === 200) userGroupIds.push(answer.body.result.id as string);
              break;
            }
            case "edit-user-group":
              await send(
                turn,
                turn.by,
                "PUT",
                `/iam/user_groups/${pick(userGroupIds, turn.which)}`,
                bodyOf(turn.policies),
              );
              break;
            case "join":
              await send(
                turn,
                turn.by,
                "POST",
                `/iam/user_groups/${pick(userGroupIds, turn.which)}/members`,
                [{ id: pick(memberIds, turn.member) }],
              );
              break;
            case "leave":
              await send(
                turn,
                turn.by,
                "DELETE",
                `/iam/user_groups/${pick(userGroupIds, turn.which)}/members/${pick(memberIds, turn.member)}`,
              );
              break;
            case "set-members":
              await send(
                turn,
                turn.by,
                "PUT",
                `/iam/user_groups/${pick(userGroupIds, turn.which)}/members`,
                turn.members.map((member) => ({ id: pick(memberIds, member) })),
              );
              break;
            case "delete-user-group":
              await send(turn, turn.by, "DELETE", `/iam/user_groups/${pick(userGroupIds, turn.which)}`);
              break;
            case "owner-limits-attacker":
              await app.request("PUT", `${base}/members/${ownId}`, {
                body: bodyOf([...given, ...turn.policies]),
              });
              break;
          }
        }

        const tokens = await besideServer(app, (tx) =>
          tx.selectFrom("tokens").select(["id", "policies"]).where("account_id", "=", accountId).execute(),
        );
        for (const { userId, tokenId } of held) {
          const token = tokens.find(({ id }) => id === tokenId);
          const grants =
            userId !== undefined
              ? (await rightsOfUser(store.read, userId)).grants
              : limitGrants(
                  compilePolicies(fromJson(token?.policies ?? assert.fail())),
                  rightsOfAccount(accountId).grants,
                );
          const gained = allowedIn(grants, accountId, zoneIds).difference(initial);
          assert.deepEqual([...gained], [], userId === undefined ? "a token" : "a user");
        }
      },
    ),
    { numRuns: count, seed: 18, endOnFailure: true },
  );
  for (const kind of [
    "invite",
    "edit-member",
    "change-group",
    "make-token",
    "make-user-group",
    "join",
    "leave",
  ]) {
    assert.ok((succeeded.get(kind) ?? 0) > 0, `${kind}: ${JSON.stringify([...succeeded])}`);
  }
});
