import type { TestContext } from "node:test";

import type { Permission } from "../../src/core/policy/permission.ts";
import { permissionGroups, type PermissionGroup } from "../../src/core/policy/permission-groups.ts";
import { superAdministratorId } from "../../src/core/policy/roles.ts";
import type { Config } from "../../src/config/settings.ts";
import { hashSecret } from "../../src/secrets/secrets.ts";
import { toJson, toTimestamp } from "../../src/storage/columns.ts";
import { firstSignIn, openBrowser, signedInBrowser } from "../support/browser.ts";
import { startOfTime, startTestApp, type Engine, type TestApp } from "../support/harness.ts";
import { addAccount, besideServer, idOf } from "../support/store.ts";

/** An owner with two accounts and zones, and a stranger with an account and a zone of its own. */
export interface World {
  readonly app: TestApp;
  readonly accountId: string;
  readonly otherAccountId: string;
  readonly zoneId: string;
  readonly otherZoneId: string;
  readonly stranger: {
    readonly headers: Record<string, string>;
    readonly accountId: string;
    readonly zoneId: string;
  };
  /** Cookies of browsers in which the owner signed in. */
  readonly cookies: { readonly signedIn: string; readonly signedOut: string };
}

const strangerEmail = "stranger@example.net";
const strangerKey = "fedcba9876543210fedcba9876543210fedcb";

export async function startWorld(
  t: TestContext,
  engine: Engine,
  settings: Partial<Config> = {},
): Promise<World> {
  const app = await startTestApp(
    t,
    engine,
    {
      user_token_quota: 100_000,
      account_token_quota: 100_000,
      create_accounts: "owner",
      invite_links: "members",
      // Nobody is there: what would be asked of the world's DNS is refused at once.
      resolvers: ["127.0.0.1:1"],
      ...settings,
    },
    // Tests wait for its rounds, as Total TLS looks at each new DNS record.
    { issuanceRoundMs: 50 },
  );
  const otherAccountId = await addAccount(app, "Other", "accepted");
  const strangerAccountId = await addAccount(app, "Strange");
  const zoneId = await app.createZone("example.com");
  const otherZoneId = await app.createZone("example.org");
  const strangerZoneId = await app.createZone("example.net");
  const now = toTimestamp(startOfTime);
  const userId = idOf("user stranger");
  await besideServer(app, async (tx) => {
    await tx
      .updateTable("zones")
      .set({ account_id: strangerAccountId })
      .where("id", "=", strangerZoneId)
      .execute();
    await tx
      .insertInto("users")
      .values({
        id: userId,
        email: strangerEmail,
        email_folded: strangerEmail,
        username: userId,
        first_name: null,
        last_name: null,
        telephone: null,
        country: null,
        zipcode: null,
        key_hash: hashSecret(strangerKey),
        created_on: now,
        modified_on: now,
      })
      .execute();
    await tx
      .insertInto("memberships")
      .values({
        id: idOf("membership stranger"),
        account_id: strangerAccountId,
        user_id: userId,
        email_folded: strangerEmail,
        status: "accepted",
        roles: toJson([superAdministratorId]),
        invited_by: null,
        expires_on: null,
        created_on: now,
      })
      .execute();
  });
  return {
    app,
    accountId: app.owner.accountId,
    otherAccountId,
    zoneId,
    otherZoneId,
    stranger: {
      headers: { "x-auth-email": strangerEmail, "x-auth-key": strangerKey },
      accountId: strangerAccountId,
      zoneId: strangerZoneId,
    },
    cookies: await ownersCookies(app),
  };
}

async function ownersCookies(app: TestApp): Promise<World["cookies"]> {
  const { cookie: signedIn } = await firstSignIn(app);
  const { cookie: signedOut } = await signedInBrowser(app);
  await openBrowser(app, signedOut).request("DELETE", "/session");
  return { signedIn, signedOut };
}

export interface PolicyBody {
  readonly effect: "allow" | "deny";
  readonly resources: Readonly<Record<string, unknown>>;
  readonly permission_groups: readonly { readonly id: string }[];
}

export const allow = (resources: PolicyBody["resources"], ...groups: PermissionGroup[]): PolicyBody => ({
  effect: "allow",
  resources,
  permission_groups: groups.map(({ id }) => ({ id })),
});

export const deny = (resources: PolicyBody["resources"], ...groups: PermissionGroup[]): PolicyBody => ({
  ...allow(resources, ...groups),
  effect: "deny",
});

export const keys = {
  account: (id: string) => ({ [`com.cloudflare.api.account.${id}`]: "*" }),
  zone: (id: string) => ({ [`com.cloudflare.api.account.zone.${id}`]: "*" }),
  zonesOf: (id: string) => ({
    [`com.cloudflare.api.account.${id}`]: { "com.cloudflare.api.account.zone.*": "*" },
  }),
  user: (id: string) => ({ [`com.cloudflare.api.user.${id}`]: "*" }),
} as const;

/** Makes a token of the owner; the answer is what to send. */
export async function tokenOf(
  { app }: Pick<World, "app">,
  policies: readonly PolicyBody[],
  rest: object = {},
): Promise<{ id: string; headers: Record<string, string> }> {
  const { status, text, body } = await app.request("POST", "/user/tokens", {
    body: { name: "of a test", policies, ...rest },
  });
  if (status !== 200) throw new Error(text);
  return { id: body.result.id, headers: { authorization: `Bearer ${body.result.value}` } };
}

/** Policies that hold exactly the permission, and such that hold another on the same, and the same on another. */
export function policiesFor(
  world: World,
  permission: Permission,
): { readonly exact: PolicyBody[]; readonly otherGroup: PolicyBody[]; readonly otherResource: PolicyBody[] } {
  const { zoneId, otherZoneId, accountId, otherAccountId, app } = world;
  const anyZoneGroup = otherThan("zone", undefined);
  switch (permission.on) {
    case "zone":
    case "queried-zones":
      return {
        exact: [allow(keys.zone(zoneId), permission.group)],
        otherGroup: [allow(keys.zone(zoneId), otherThan("zone", permission.group))],
        otherResource: [allow(keys.zone(otherZoneId), permission.group)],
      };
    case "visible-zone":
      return {
        exact: [allow(keys.zone(zoneId), anyZoneGroup)],
        otherGroup: [
          allow(keys.zone(zoneId), anyZoneGroup),
          deny(keys.zone(zoneId), named("zone", "Zone Read")),
        ],
        otherResource: [allow(keys.zone(otherZoneId), anyZoneGroup)],
      };
    case "new-zone":
      return {
        exact: [allow(keys.zonesOf(accountId), permission.group)],
        otherGroup: [allow(keys.zonesOf(accountId), otherThan("zone", permission.group))],
        otherResource: [allow(keys.zonesOf(otherAccountId), permission.group)],
      };
    case "account":
      return {
        exact: [allow(keys.account(accountId), ...permission.groups.slice(-1))],
        otherGroup: [allow(keys.account(accountId), otherThan("account", ...permission.groups))],
        otherResource: [allow(keys.account(otherAccountId), ...permission.groups)],
      };
    case "user":
    case "new-account":
    case "server":
      return {
        exact: [allow(keys.user(app.owner.userId), permission.group)],
        otherGroup: [allow(keys.user(app.owner.userId), otherThan("user", permission.group))],
        otherResource: [allow(keys.account(accountId), otherThan("account", undefined))],
      };
    case "listed":
      return {
        exact: [allow(keys.zone(zoneId), anyZoneGroup)],
        otherGroup: [deny(keys.zone(zoneId), anyZoneGroup)],
        otherResource: [allow(keys.zone(otherZoneId), anyZoneGroup)],
      };
  }
}

/** A group of the scope that has nothing to do with `group`. */
function otherThan(
  scope: PermissionGroup["scope"],
  ...groups: readonly (PermissionGroup | undefined)[]
): PermissionGroup {
  const stems = groups.flatMap((group) => group?.name.replace(/ (?:Read|Write)$/, "") ?? []);
  const other = permissionGroups.find(
    ({ scope: candidate, name }) => candidate === scope && !stems.some((stem) => name.startsWith(stem)),
  );
  if (other === undefined) throw new Error(`no other group for ${scope}`);
  return other;
}

function named(scope: PermissionGroup["scope"], name: string): PermissionGroup {
  const group = permissionGroups.find((candidate) => candidate.scope === scope && candidate.name === name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
}
