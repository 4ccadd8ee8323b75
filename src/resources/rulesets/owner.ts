import type { Plan } from "../../core/expression/phases.ts";
import type { RulesetLevel } from "../../core/rulesets/ruleset.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { lockAccount } from "../../operation/scope.ts";
import { findAccount } from "../accounts/accounts.ts";
import { findZone, lockZone } from "../../operation/scope.ts";

/** The zone or account that owns the rulesets. */
export interface RulesetOwner {
  readonly level: RulesetLevel;
  readonly id: string;
}

export const ofZone = (id: string): RulesetOwner => ({ level: "zone", id });
export const ofAccount = (id: string): RulesetOwner => ({ level: "account", id });

/** What changes of rulesets belong to. */
export interface LockedOwner extends RulesetOwner {
  /** To whom the audit log counts them. */
  readonly logged: { readonly zone: ZoneRow } | { readonly accountId: string };
  /** Bounds what expressions may use; accounts are bound by that of no zone. */
  readonly plan: Plan | undefined;
}

/** Errors: 404 code 1001. */
export async function findOwner(db: Db, { level, id }: RulesetOwner): Promise<void> {
  await (level === "zone" ? findZone(db, id) : findAccount(db, id));
}

/** Locks the owner against every other change of its rulesets until the transaction ends. Errors: 404 code 1001. */
export async function lockOwner(tx: Db, owner: RulesetOwner): Promise<LockedOwner> {
  if (owner.level === "zone") return lockedZone(await lockZone(tx, owner.id));
  await findAccount(tx, owner.id);
  await lockAccount(tx, owner.id);
  return { ...owner, logged: { accountId: owner.id }, plan: undefined };
}

/** A zone that the transaction has locked already. */
export function lockedZone(zone: ZoneRow): LockedOwner {
  return { ...ofZone(zone.id), logged: { zone }, plan: zone.plan };
}
