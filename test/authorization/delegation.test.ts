import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Policy } from "../../src/core/policy/grants.ts";
import {
  account,
  permissionGroups,
  zone,
  type PermissionGroup,
} from "../../src/core/policy/permission-groups.ts";
import { findRoleCalled, superAdministratorId } from "../../src/core/policy/roles.ts";
import { operations } from "../../src/server/operations.ts";
import {
  byToken,
  onComparedEngines,
  startTestApp,
  type Engine,
  type TestAnswer,
  type TestApp,
} from "../support/harness.ts";
import { addToken, addUser, besideServer, storedRows } from "../support/store.ts";
import { allow, keys, policiesFor, startWorld } from "./world.ts";

type Headers = Record<string, string>;

const administrator = findRoleCalled("Administrator") ?? assert.fail();
const administratorIs = new Set(administrator.groups);
const makesTokens = account("Account API Tokens Write");
const changesMembers = account("Account Settings Write");
const bills = account("Billing Write");

/** Everything that its user may do. */
const everything: readonly Omit<Policy, "id" | "effect">[] = (["account", "zone"] as const).map((type) => ({
  resources: [{ type, id: "*" }],
  groupIds: permissionGroups.filter(({ scope }) => scope === type).map(({ id }) => id),
}));

/** The owner's account with an administrator in it. */
interface Place {
  readonly app: TestApp;
  readonly members: string;
  readonly tokens: string;
  /** Headers of an administrator and a second super administrator. */
  readonly administrator: Headers;
  readonly superAdministrator: Headers;
  /** Makes a token of the account with these groups on all of it. */
  readonly make: (by: Headers, ...groups: PermissionGroup[]) => Promise<TestAnswer>;
  /** The same where it is not refused. */
  readonly made: (by: Headers, ...groups: PermissionGroup[]) => Promise<{ id: string; headers: Headers }>;
  readonly memberOf: (email: string) => Promise<{ id: string; roles: { id: string }[] } | undefined>;
}

const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` });

async function startPlace(t: TestContext, engine: Engine): Promise<Place> {
  const app = await startTestApp(t, engine);
  const { accountId } = app.owner;
  const join = async (email: string, role: string): Promise<Headers> =>
    addToken(app, (await addUser(app, email, { account: accountId, role })).id, everything);
  const tokens = `/accounts/${accountId}/tokens`;
  const members = `/accounts/${accountId}/members`;
  const make: Place["make"] = (by, ...groups) =>
    app.request("POST", tokens, { headers: by, body: tokenBody(accountId, groups) });
  return {
    app,
    members,
    tokens,
    administrator: await join("administrator@example.com", administrator.id),
    superAdministrator: await join("super@example.com", superAdministratorId),
    make,
    made: async (by, ...groups) => {
      const { status, text, body } = await make(by, ...groups);
      assert.equal(status, 200, text);
      return { id: body.result.id, headers: bearer(body.result.value) };
    },
    memberOf: async (email) =>
      (await app.request("GET", members)).body.result.find(
        (member: { email: string }) => member.email === email,
      ),
  };
}

function tokenBody(accountId: string, groups: readonly PermissionGroup[]) {
  const ofAccount = groups.filter(({ scope }) => scope === "account");
  const ofZones = groups.filter(({ scope }) => scope === "zone");
  return {
    name: "of the account",
    policies: [
      ...(ofAccount.length > 0 ? [allow(keys.account(accountId), ...ofAccount)] : []),
      ...(ofZones.length > 0 ? [allow(keys.zonesOf(accountId), ...ofZones)] : []),
    ],
  };
}

/** Each attempt is refused with 403 code 9109, and none leaves a trace. */
async function refuses(app: TestApp, attempts: readonly (() => Promise<TestAnswer>)[]): Promise<void> {
  const earlier = await storedRows(app);
  for (const [index, attempt] of attempts.entries()) {
    const { status, body, text } = await attempt();
    assert.equal(status, 403, `attempt ${index}: ${text}`);
    assert.equal(body.errors[0]?.code, 9109, text);
  }
  assert.deepEqual(await storedRows(app), earlier);
}

onComparedEngines("an administrator", (engine) => {
  test("does not become a super administrator through a token that makes tokens", async (t) => {
    const { app, members, administrator: by, make, made, memberOf } = await startPlace(t, engine);
    const first = await made(by, makesTokens);
    const own = await memberOf("administrator@example.com");
    const owner = await memberOf(app.owner.email);
    await refuses(app, [
      () => make(by, changesMembers),
      () => make(first.headers, changesMembers, bills),
      () => make(first.headers, changesMembers),
      () => make(first.headers, bills, zone("DNS Write")),
    ]);
    // The chain hands on the administrator's rights however long it is.
    const second = await made(first.headers, makesTokens, zone("DNS Write"));
    const third = await made(second.headers, makesTokens);
    await refuses(app, [() => make(third.headers, changesMembers)]);
    await made(third.headers, zone("DNS Write"), zone("Zone Write"));
    for (const { id } of [own, owner].flatMap((member) => member ?? [])) {
      const { status } = await app.request("PUT", `${members}/${id}`, {
        headers: third.headers,
        body: { roles: [superAdministratorId] },
      });
      assert.equal(status, 403);
    }
  });

  test("gets no hold of a token that can do more, nor of one that can hand on more", async (t) => {
    const { app, tokens, administrator: by, made } = await startPlace(t, engine);
    const first = await made(by, makesTokens);
    const strong = await made(byToken, bills);
    const handsOn = await made(byToken, makesTokens);
    const weak = await made(byToken, zone("DNS Write"));
    const body = tokenBody(app.owner.accountId, [zone("DNS Read")]);
    await refuses(
      app,
      [by, first.headers].flatMap((headers) =>
        [strong, handsOn].flatMap(({ id }) => [
          () => app.request("PUT", `${tokens}/${id}/value`, { headers }),
          () => app.request("PUT", `${tokens}/${id}`, { headers, body }),
        ]),
      ),
    );
    for (const headers of [by, first.headers]) {
      assert.equal((await app.request("PUT", `${tokens}/${weak.id}/value`, { headers })).status, 200);
    }
  });

  test("hands on no more by a token of a super administrator that it rolled or edited", async (t) => {
    const { app, tokens, administrator: by, make, made } = await startPlace(t, engine);
    const rolled = await made(byToken, zone("DNS Write"));
    const edited = await made(byToken, zone("DNS Write"));
    const body = tokenBody(app.owner.accountId, [makesTokens]);
    const { body: roll } = await app.request("PUT", `${tokens}/${rolled.id}/value`, { headers: by });
    for (const { id } of [rolled, edited]) {
      assert.equal((await app.request("PUT", `${tokens}/${id}`, { headers: by, body })).status, 200);
    }
    await refuses(app, [
      () => make(bearer(roll.result), changesMembers),
      () => make(edited.headers, changesMembers),
    ]);
    // A super administrator who changes a token that others hold does not lend its rights to them.
    const held = await made(by, zone("DNS Write"));
    assert.equal((await app.request("PUT", `${tokens}/${held.id}`, { body })).status, 200);
    await refuses(app, [() => make(held.headers, changesMembers)]);
    await made(held.headers, zone("DNS Write"));
  });
});

onComparedEngines("what a token of an account hands on", (engine) => {
  test("is what its maker may do now, by tokens, roles and invites alike", async (t) => {
    const { app, members, superAdministrator: by, make, made, memberOf } = await startPlace(t, engine);
    const chain = await made(
      (await made(by, makesTokens, changesMembers)).headers,
      makesTokens,
      changesMembers,
    );
    const maker = await memberOf("super@example.com");
    const other = await memberOf("administrator@example.com");
    const give = (role: string) =>
      app.request("PUT", `${members}/${other?.id}`, { headers: chain.headers, body: { roles: [role] } });
    assert.equal((await give(superAdministratorId)).status, 200);
    assert.equal((await give(administrator.id)).status, 200);
    await made(chain.headers, bills);

    const demote = { body: { roles: [administrator.id] } };
    assert.equal((await app.request("PUT", `${members}/${maker?.id}`, demote)).status, 200);
    const invite = (role: string) =>
      app.request("POST", members, {
        headers: chain.headers,
        body: { email: "new@example.com", roles: [role] },
      });
    await refuses(app, [
      () => give(superAdministratorId),
      () => invite(superAdministratorId),
      () => make(chain.headers, bills),
    ]);
    assert.equal((await give(findRoleCalled("DNS")?.id ?? "")).status, 200);
    await made(chain.headers, zone("DNS Write"));
  });

  test("is nothing once its maker has left, until a super administrator rolls it", async (t) => {
    const { app, members, tokens, administrator: by, ...place } = await startPlace(t, engine);
    const token = await place.made(place.superAdministrator, makesTokens, changesMembers, zone("DNS Write"));
    const plain = await place.made(place.superAdministrator, zone("DNS Write"));
    const maker = await place.memberOf("super@example.com");
    const other = await place.memberOf("administrator@example.com");
    assert.equal((await app.request("DELETE", `${members}/${maker?.id}`)).status, 200);
    const body = tokenBody(app.owner.accountId, [zone("DNS Read")]);
    const { headers } = token;
    await refuses(app, [
      () => place.make(headers, zone("DNS Read")),
      () => app.request("PUT", `${tokens}/${plain.id}`, { headers, body }),
      () => app.request("PUT", `${tokens}/${plain.id}/value`, { headers }),
      () => app.request("PUT", `${tokens}/${token.id}/value`, { headers }),
      () =>
        app.request("POST", members, {
          headers,
          body: { email: "new@example.com", roles: [administrator.id] },
        }),
      () => app.request("PUT", `${members}/${other?.id}`, { headers, body: { roles: [administrator.id] } }),
      () => app.request("DELETE", `${members}/${other?.id}`, { headers }),
      // Nor does an administrator take it over.
      () => app.request("PUT", `${tokens}/${token.id}/value`, { headers: by }),
      () => app.request("PUT", `${tokens}/${token.id}`, { headers: by, body }),
    ]);
    // The token still does its task.
    assert.equal((await app.request("GET", "/zones", { headers })).status, 200);

    const rolled = await app.request("PUT", `${tokens}/${token.id}/value`);
    assert.equal(rolled.status, 200, rolled.text);
    await place.made(bearer(rolled.body.result), bills);
  });

  test("is nothing for a token of which nobody knows who made it", async (t) => {
    const { app, tokens, make, made } = await startPlace(t, engine);
    const token = await made(byToken, makesTokens);
    await besideServer(app, (tx) => tx.updateTable("tokens").set({ grantors: null }).execute());
    await app.restart();
    await refuses(app, [() => make(token.headers, zone("DNS Read"))]);
    const rolled = await app.request("PUT", `${tokens}/${token.id}/value`);
    await made(bearer(rolled.body.result), bills);
  });
});

test("every operation on tokens, members and groups of an account needs a group that marks who hands on rights", () => {
  const marks = new Set([makesTokens, changesMembers]);
  const handing = operations.filter(
    ({ method, path }) =>
      method !== "GET" && /^\/accounts\/\{account_id\}\/(?:tokens|members|iam)\b/.test(path),
  );
  assert.equal(handing.length, 17);
  for (const { operation, access } of handing) {
    assert.ok(typeof access === "object" && access.on === "account", operation);
    assert.ok(
      access.groups.every((group) => marks.has(group)),
      operation,
    );
  }
});

test("a token that an administrator's token makes has any operation's permission that the administrator has, and no other", async (t) => {
  const world = await startWorld(t, "sqlite");
  const { app, accountId } = world;
  const { id } = await addUser(app, "administrator@example.com", {
    account: accountId,
    role: administrator.id,
  });
  const path = `/accounts/${accountId}/tokens`;
  const first = await app.request("POST", path, {
    headers: await addToken(app, id, everything),
    body: { name: "first", policies: [allow(keys.account(accountId), makesTokens)] },
  });
  const headers = bearer(first.body.result.value);
  let refused = 0;
  for (const { operation, access } of operations) {
    if (typeof access !== "object" || access.on === "user" || access.on === "new-account") continue;
    const { exact } = policiesFor(world, access);
    const groupIds = new Set(exact.flatMap((policy) => policy.permission_groups.map((group) => group.id)));
    const has = permissionGroups
      .filter((group) => groupIds.has(group.id))
      .every((group) => administratorIs.has(group));
    const { status, text } = await app.request("POST", path, {
      headers,
      body: { name: operation, policies: exact },
    });
    assert.equal(status, has ? 200 : 403, `${operation}: ${text}`);
    if (!has) refused += 1;
  }
  assert.ok(refused > 0, "some operations are beyond an administrator");
});
