import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { permissionGroups } from "../../src/core/policy/permission-groups.ts";
import {
  findRole,
  findRoleCalled,
  roles,
  superAdministratorId,
  type Role,
} from "../../src/core/policy/roles.ts";
import { hashSecret, newTokenSecret } from "../../src/secrets/secrets.ts";
import { toJson, toTimestamp } from "../../src/storage/columns.ts";
import type { MembershipRow } from "../../src/storage/schema/accounts.ts";
import { startOfTime, startTestApp, type TestApp } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { besideServer, idOf } from "../support/store.ts";
import { allow, keys } from "./world.ts";

/** Groups that give rights, and some that only roles of different strength have. */
const offered = new Map(
  [
    "Account API Tokens Write",
    "Account Settings Write",
    "Billing Write",
    "DNS Write",
    "Zone Write",
    "Account Settings Read",
  ].map((name) => [
    name,
    permissionGroups.find((group) => group.name === name && group.scope !== "user") ?? assert.fail(name),
  ]),
);
const leastRole = "Minimal Account Access";
const roleCalled = (name: string): Role => findRoleCalled(name) ?? assert.fail(name);

/** People of an account. The attacker also commands the puppet, who is no member yet. */
const people = ["attacker", "puppet", "bystander", "owner"] as const;
type Person = (typeof people)[number];

const anyone = fc.nat(30);
const groupsSent = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...offered.keys()).map((name) => [name]) },
  { weight: 1, arbitrary: fc.subarray([...offered.keys()], { minLength: 2, maxLength: 3 }) },
);
const role = fc.oneof(
  { weight: 2, arbitrary: fc.constant("Administrator") },
  { weight: 2, arbitrary: fc.constantFrom(...roles.map(({ name }) => name)) },
);
/** `by` and `which` pick among the credentials, tokens or members that there are. */
const attack = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), by: anyone, groups: groupsSent }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("edit" as const), by: anyone, which: anyone, groups: groupsSent }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("roll" as const), by: anyone, which: anyone }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("invite" as const), by: anyone, role }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("accept" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("change-role" as const), by: anyone, which: anyone, role }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), by: anyone, which: anyone }) },
);
/** Changes by others meanwhile that give the attacker nothing. */
const meanwhile = fc.oneof(
  fc.record({ do: fc.constant("owner-creates" as const), groups: groupsSent }),
  fc.record({ do: fc.constant("owner-renames" as const), which: anyone }),
  fc.record({ do: fc.constant("bystander-creates" as const), groups: groupsSent }),
  fc.record({ do: fc.constant("bystander-becomes" as const), role }),
  fc.record({ do: fc.constant("bystander-leaves" as const) }),
  fc.record({ do: fc.constant("attacker-becomes-less" as const) }),
);
/** Chains begin with tokens of several owners, so that there is something to take hold of. */
const opening = [
  { do: "create", by: 0, groups: ["Account API Tokens Write"] },
  { do: "owner-creates", groups: ["DNS Write"] },
  { do: "bystander-creates", groups: ["Account API Tokens Write"] },
] as const;
const chain = fc.record({
  attackerRole: fc.oneof(
    { weight: 5, arbitrary: fc.constant("Administrator") },
    { weight: 1, arbitrary: role },
  ),
  bystanderRole: role,
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: attack }, { weight: 1, arbitrary: meanwhile }), {
    minLength: 3,
    maxLength: 16,
  }),
});

interface AccountOfChain {
  readonly accountId: string;
  readonly secrets: Readonly<Record<Person, string>>;
}

const emailOf = (index: number, person: Person): string => `${person}-${index}@example.com`;
const userIdOf = (index: number, person: Person): string => idOf(`${person} ${index}`);

/** An account for each chain, its people and for each of them a token of all that the user may do. */
async function populate(app: TestApp, count: number): Promise<AccountOfChain[]> {
  const now = toTimestamp(startOfTime);
  const accounts = Array.from({ length: count }, (_, index): AccountOfChain => ({
    accountId: idOf(`account ${index}`),
    secrets: Object.fromEntries(people.map((person) => [person, newTokenSecret()])) as Record<Person, string>,
  }));
  const groupIdsOf = (type: string) =>
    permissionGroups.filter(({ scope }) => scope === type).map(({ id }) => id);
  await besideServer(app, async (tx) => {
    for (const [index, { accountId: id, secrets }] of accounts.entries()) {
      await tx.insertInto("accounts").values({ id, name: id, name_folded: id, created_on: now }).execute();
      await tx
        .insertInto("users")
        .values(
          people.map((person) => ({
            id: userIdOf(index, person),
            email: emailOf(index, person),
            email_folded: emailOf(index, person),
            username: userIdOf(index, person),
            first_name: null,
            last_name: null,
            telephone: null,
            country: null,
            zipcode: null,
            key_hash: idOf(`key ${person} ${index}`),
            created_on: toTimestamp(new Date(startOfTime.getTime() + 1)),
            modified_on: now,
          })),
        )
        .execute();
      await tx
        .insertInto("memberships")
        .values(
          (["attacker", "bystander", "owner"] as const).map((person): MembershipRow => ({
            id: membershipIdOf(index, person),
            account_id: id,
            user_id: userIdOf(index, person),
            email_folded: emailOf(index, person),
            status: "accepted",
            roles: toJson([superAdministratorId]),
            policies: null,
            invited_by: null,
            grantors: null,
            link_hash: null,
            expires_on: null,
            created_on: now,
          })),
        )
        .execute();
      await tx
        .insertInto("tokens")
        .values(
          people.map((person) => ({
            id: idOf(`token ${person} ${index}`),
            user_id: userIdOf(index, person),
            account_id: null,
            name: person,
            status: "active" as const,
            secret_hash: hashSecret(secrets[person]),
            policies: toJson(
              (["account", "zone", "user"] as const).map((type) => ({
                id: type,
                effect: "allow" as const,
                resources: [{ type, id: type === "user" ? userIdOf(index, person) : "*" }],
                groupIds: groupIdsOf(type),
              })),
            ),
            grantors: null,
            condition: null,
            not_before: null,
            expires_on: null,
            issued_on: now,
            modified_on: now,
            last_used_on: null,
          })),
        )
        .execute();
    }
  });
  return accounts;
}

function membershipIdOf(index: number, person: Person): string {
  return idOf(`membership ${person} ${index}`);
}

test("no chain of tokens, rolls, edits, invites and roles takes anybody beyond the rights it began with", async (t) => {
  const count = roundsOr(60);
  const app = await startTestApp(t, "sqlite", { account_token_quota: 100_000 });
  const accounts = await populate(app, count);
  await app.restart();
  let round = 0;
  let succeeded = 0;

  await fc.assert(
    fc.asyncProperty(chain, async ({ attackerRole, bystanderRole, steps }) => {
      const index = round % count;
      round += 1;
      const place = accounts[index] ?? assert.fail();
      const members = `/accounts/${place.accountId}/members`;
      const tokens = `/accounts/${place.accountId}/tokens`;
      const send = async (secret: string, method: string, path: string, body?: object) => {
        const answer = await app.request(method, path, {
          headers: { authorization: `Bearer ${secret}` },
          ...(body && { body }),
        });
        assert.ok(answer.status < 500, answer.text);
        return answer;
      };
      const { attacker, puppet, bystander, owner } = place.secrets;
      const bodyWith = (names: readonly string[]) => ({
        name: "t",
        policies: (["account", "zone"] as const).flatMap((scope) => {
          const ofScope = names
            .flatMap((name) => offered.get(name) ?? [])
            .filter((group) => group.scope === scope);
          // A zone group goes on the account, too, where others stand beside it.
          const isPlain = scope === "account" || names.length > 1;
          const key = isPlain ? keys.account(place.accountId) : keys.zonesOf(place.accountId);
          return ofScope.length === 0 ? [] : [allow(key, ...ofScope)];
        }),
      });
      const become = (person: Person, name: string) =>
        send(owner, "PUT", `${members}/${membershipIdOf(index, person)}`, { roles: [roleCalled(name).id] });
      assert.equal((await become("attacker", attackerRole)).status, 200);
      assert.equal((await become("bystander", bystanderRole)).status, 200);

      const initial = new Set(roleCalled(attackerRole).groups.map(({ id }) => id));
      /** Secrets that the attacker holds; a roll by somebody else would end one. */
      const held = [attacker];
      const heldTokenIds = new Set<string>();
      const tokenIds: string[] = [];
      const memberIds = (["attacker", "bystander", "owner"] as const).map((person) =>
        membershipIdOf(index, person),
      );
      let inviteId: string | undefined;
      const pick = <Item>(items: readonly Item[], at: number): Item =>
        items[at % items.length] ?? assert.fail();

      for (const step of [...opening, ...steps]) {
        switch (step.do) {
          case "create": {
            const { status, body } = await send(pick(held, step.by), "POST", tokens, bodyWith(step.groups));
            if (status !== 200) break;
            tokenIds.push(body.result.id);
            heldTokenIds.add(body.result.id);
            held.push(body.result.value);
            succeeded += 1;
            break;
          }
          case "edit": {
            if (tokenIds.length === 0) break;
            const path = `${tokens}/${pick(tokenIds, step.which)}`;
            const { status } = await send(pick(held, step.by), "PUT", path, bodyWith(step.groups));
            if (status === 200) succeeded += 1;
            break;
          }
          case "roll": {
            if (tokenIds.length === 0) break;
            const id = pick(tokenIds, step.which);
            const { status, body } = await send(pick(held, step.by), "PUT", `${tokens}/${id}/value`);
            if (status !== 200) break;
            heldTokenIds.add(id);
            held.push(body.result);
            succeeded += 1;
            break;
          }
          case "invite": {
            const body = { email: emailOf(index, "puppet"), roles: [roleCalled(step.role).id] };
            const answer = await send(pick(held, step.by), "POST", members, body);
            if (answer.status !== 200) break;
            inviteId = answer.body.result.id;
            memberIds.push(answer.body.result.id);
            succeeded += 1;
            break;
          }
          case "accept":
            if (inviteId === undefined) break;
            await send(puppet, "PATCH", `/user/invites/${inviteId}`, { status: "accepted" });
            held.push(puppet);
            break;
          case "change-role": {
            const path = `${members}/${pick(memberIds, step.which)}`;
            const { status } = await send(pick(held, step.by), "PUT", path, {
              roles: [roleCalled(step.role).id],
            });
            if (status === 200) succeeded += 1;
            break;
          }
          case "remove":
            await send(pick(held, step.by), "DELETE", `${members}/${pick(memberIds, step.which)}`);
            break;
          case "owner-creates":
          case "bystander-creates": {
            const by = step.do === "owner-creates" ? owner : bystander;
            const { status, body } = await send(by, "POST", tokens, bodyWith(step.groups));
            if (status === 200) tokenIds.push(body.result.id);
            break;
          }
          case "owner-renames": {
            if (tokenIds.length === 0) break;
            const path = `${tokens}/${pick(tokenIds, step.which)}`;
            const { body } = await send(owner, "GET", path);
            if (body.result !== null) await send(owner, "PUT", path, { ...body.result, name: "renamed" });
            break;
          }
          case "bystander-becomes":
            await become("bystander", step.role);
            break;
          case "bystander-leaves":
            await send(owner, "DELETE", `${members}/${membershipIdOf(index, "bystander")}`);
            break;
          case "attacker-becomes-less":
            await become("attacker", leastRole);
            break;
        }
      }

      // The attacker's possessions in the end: the tokens whose secrets it knows, and the roles of its two users.
      const ofAttacker = new Set((["attacker", "puppet"] as const).map((person) => emailOf(index, person)));
      const listed = await send(owner, "GET", `${tokens}?per_page=100`);
      if (listed.status !== 200) {
        // Only a super administrator, who has nothing to gain, can take the owner's place.
        assert.equal(roleCalled(attackerRole).id, superAdministratorId);
        return;
      }
      const storedTokens = listed.body.result as {
        id: string;
        policies: { permission_groups: { id: string }[] }[];
      }[];
      const storedMembers = (await send(owner, "GET", members)).body.result as {
        email: string;
        roles: { id: string }[];
      }[];
      const reached = [
        ...storedTokens
          .filter(({ id }) => heldTokenIds.has(id))
          .flatMap(({ policies }) =>
            policies.flatMap((policy) => policy.permission_groups.map(({ id }) => id)),
          ),
        ...storedMembers
          .filter(({ email }) => ofAttacker.has(email))
          .flatMap((member) =>
            member.roles.flatMap(({ id }) => findRole(id)?.groups.map((group) => group.id) ?? []),
          ),
      ];
      const gained = [...new Set(reached)].filter((id) => !initial.has(id));
      assert.deepEqual(
        gained.map((id) => permissionGroups.find((group) => group.id === id)?.name),
        [],
      );
      // Nor is there one step more that gets it further.
      const further = [...offered].filter(([, { id }]) => !initial.has(id));
      for (const secret of new Set(held)) {
        for (const [name] of further) {
          const { status, text } = await send(secret, "POST", tokens, bodyWith([name]));
          assert.notEqual(status, 200, text);
        }
      }
    }),
    { numRuns: count, seed: 16, endOnFailure: true },
  );
  assert.ok(succeeded > count, `${succeeded} steps of ${count} chains succeeded`);
});
