import type { ManagedRulesets } from "../../core/judging/managed-rulesets.ts";
import type { Phase } from "../../core/expression/phases.ts";
import { onAccount, onZone } from "../../core/policy/permission.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { lockAccount, lockZone } from "../../operation/scope.ts";
import type { ExpressionContext } from "../../operation/context.ts";
import { reads, writes, type ReadWork, type ScopeKind, type WriteWork } from "../../operation/scoped.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

export type RulesetOwner =
  | { readonly level: "zone"; readonly id: string; readonly zone: ZoneRow }
  | { readonly level: "account"; readonly id: string };

export const ofZone = (zone: ZoneRow): RulesetOwner => ({ level: "zone", id: zone.id, zone });
export const ofAccount = (id: string): RulesetOwner => ({ level: "account", id });

export interface RulesetContext extends ExpressionContext {
  /** Brand segment of names (docs/decisions/0001-vendor-segment.md). */
  readonly vendor: string;
  readonly managed: ManagedRulesets;
  /** Refuses rules that a zone may not have in a phase as they are. */
  readonly refuseZoneRules: (zone: ZoneRow, phase: Phase, rules: readonly Rule[]) => void;
}

interface RulesetScope {
  readonly owner: RulesetOwner;
}

export type RulesetRead = ReadWork<RulesetScope, RulesetContext>;
export type RulesetWrite = WriteWork<RulesetScope, RulesetContext>;

type RulesetScopeKind = ScopeKind<RulesetScope, "read" | "write">;

const owner: RulesetScopeKind["owner"] = ({ owner: of }) =>
  of.level === "zone" ? { zone: of.zone } : { accountId: of.id };

const zones: RulesetScopeKind = {
  permission: (name) => onZone(name === "read" ? "Zone WAF Read" : "Zone WAF Write"),
  ofRequest: ({ scope }) => ({ owner: ofZone(scope as ZoneRow) }),
  lock: async (tx, { params }) => ({ owner: ofZone(await lockZone(tx, params["zone_id"] ?? "")) }),
  owner,
};

const accounts: RulesetScopeKind = {
  permission: (name) =>
    name === "read"
      ? onAccount("Account WAF Read", "Account Rulesets Read")
      : onAccount("Account WAF Write", "Account Rulesets Write"),
  ofRequest: ({ params }) => ({ owner: ofAccount(params["account_id"] ?? "") }),
  lock: async (tx, request) => {
    const scope = accounts.ofRequest(request);
    await lockAccount(tx, scope.owner.id);
    return scope;
  },
  owner,
};

/** The operations on rulesets of zones, and of accounts. */
export const zoneRulesets = {
  level: "zone",
  path: "/zones/{zone_id}/rulesets",
  of: "of a zone",
  read: reads(zones),
  write: writes(zones),
} as const;

export const accountRulesets = {
  level: "account",
  path: "/accounts/{account_id}/rulesets",
  of: "of an account",
  read: reads(accounts),
  write: writes(accounts),
} as const;

export type Level = typeof zoneRulesets | typeof accountRulesets;

/** An unknown phase is refused by name; an invalid number is an unknown path. */
export const phaseName = { ruleset_phase: /./ };
export const versionNumber = { ruleset_version: /^[1-9][0-9]{0,8}$/ };
