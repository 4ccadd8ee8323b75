import type { Caller } from "../../core/policy/caller.ts";
import { onAccount, onUser, onZone, type Permission } from "../../core/policy/permission.ts";
import type { Change } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { lockAccount, lockUser, lockZone } from "../../operation/scope.ts";
import type { ReadWork, ScopeKind, WriteWork } from "../../operation/scoped.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccessRuleRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { findAccount } from "../accounts/accounts.ts";
import type { AccessRule } from "./schema.ts";

/** The reach of rules: one zone, in all zones of an account, or in all zones of a user. */
export interface RuleScope {
  readonly id: string;
  readonly owner: Change["owner"];
  readonly columns: Pick<AccessRuleRow, "zone_id" | "account_id" | "user_id">;
  /** The `scope` of its rules in answers. */
  readonly show: (db: Db) => Promise<AccessRule["scope"]>;
}

interface InRuleScope {
  readonly ruleScope: RuleScope;
}

type RuleScopeKind = ScopeKind<InRuleScope, "read" | "write">;

export type AccessRuleRead = ReadWork<InRuleScope, Context>;
export type AccessRuleWrite = WriteWork<InRuleScope, Context>;

const inAccount: RuleScopeKind["ofRequest"] = ({ params }) => ({
  ruleScope: scopeOfAccount(params["account_id"] ?? ""),
});
const ofCaller: RuleScopeKind["ofRequest"] = ({ caller }) => ({
  ruleScope: scopeOfUser((caller as Caller).user as User),
});

/** The levels that have these operations. */
export const levels = [
  {
    names: {
      list: "listZoneAccessRules",
      create: "createZoneAccessRule",
      get: "getZoneAccessRule",
      edit: "editZoneAccessRule",
      delete: "deleteZoneAccessRule",
    },
    prefix: "/zones/{zone_id}",
    of: "a zone",
    kind: kindOf({
      read: onZone("Firewall Services Read"),
      write: onZone("Firewall Services Write"),
      ofRequest: ({ scope }) => ({ ruleScope: scopeOfZone(scope as ZoneRow) }),
      lock: async (tx, { params }) => ({
        ruleScope: scopeOfZone(await lockZone(tx, params["zone_id"] ?? "")),
      }),
    }),
  },
  {
    names: {
      list: "listAccountAccessRules",
      create: "createAccountAccessRule",
      get: "getAccountAccessRule",
      edit: "editAccountAccessRule",
      delete: "deleteAccountAccessRule",
    },
    prefix: "/accounts/{account_id}",
    of: "an account",
    kind: kindOf({
      read: onAccount("Account Firewall Access Rules Read"),
      write: onAccount("Account Firewall Access Rules Write"),
      ofRequest: inAccount,
      lock: lockedBy(lockAccount, inAccount),
    }),
  },
  {
    names: {
      list: "listUserAccessRules",
      create: "createUserAccessRule",
      get: "getUserAccessRule",
      edit: "editUserAccessRule",
      delete: "deleteUserAccessRule",
    },
    prefix: "/user",
    of: "the calling user",
    kind: kindOf({
      read: onUser("User Details Read"),
      write: onUser("User Details Write"),
      ofRequest: ofCaller,
      lock: lockedBy(lockUser, ofCaller),
    }),
  },
] as const;

export type Level = (typeof levels)[number];

function lockedBy(
  lock: (tx: Db, id: string) => Promise<void>,
  ofRequest: RuleScopeKind["ofRequest"],
): RuleScopeKind["lock"] {
  return async (tx, request) => {
    const scope = ofRequest(request);
    await lock(tx, scope.ruleScope.id);
    return scope;
  };
}

function kindOf({
  read,
  write,
  ofRequest,
  lock,
}: {
  readonly read: Permission;
  readonly write: Permission;
  readonly ofRequest: RuleScopeKind["ofRequest"];
  readonly lock: RuleScopeKind["lock"];
}): RuleScopeKind {
  return {
    permission: (name) => (name === "read" ? read : write),
    ofRequest,
    lock,
    owner: ({ ruleScope }) => ruleScope.owner,
  };
}

const noColumns = { zone_id: null, account_id: null, user_id: null };

function scopeOfZone(zone: ZoneRow): RuleScope {
  const { id, name } = zone;
  return {
    id,
    owner: { zone },
    columns: { ...noColumns, zone_id: id },
    show: async () => ({ id, name, type: "zone" }),
  };
}

function scopeOfAccount(id: string): RuleScope {
  return {
    id,
    owner: { accountId: id },
    columns: { ...noColumns, account_id: id },
    show: async (db) => ({ id, name: (await findAccount(db, id)).name, type: "organization" }),
  };
}

type User = NonNullable<Caller["user"]>;

function scopeOfUser({ id, email }: User): RuleScope {
  return {
    id,
    owner: { userId: id },
    columns: { ...noColumns, user_id: id },
    show: async () => ({ id, email, type: "user" }),
  };
}
