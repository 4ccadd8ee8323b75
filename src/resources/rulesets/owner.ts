import type { Plan } from "../../core/expression/phases.ts";
import type { RulesetLevel } from "../../core/rulesets/ruleset.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { findAccount, holdAccount } from "../accounts/accounts.ts";
import { findZone, holdZone } from "../zones/zones.ts";

/** The zone or account that owns the rulesets. */
export interface RulesetOwner {
  readonly level: RulesetLevel;
  readonly id: string;
}

export const ofZone = (id: string): RulesetOwner => ({ level: "zone", id });
export const ofAccount = (id: string): RulesetOwner => ({ level: "account", id });

/** What changes of rulesets belong to. */
export interface HeldOwner extends RulesetOwner {
  /** To whom the audit log counts them. */
  readonly logged: { readonly zone: ZoneRow } | { readonly accountId: string };
  /** Bounds what expressions may use; accounts are bound by that of no zone. */
  readonly plan: Plan | undefined;
}

/** Errors: 404 code 1001. */
export async function findOwner(db: Db, { level, id }: RulesetOwner): Promise<void> {
  await (level === "zone" ? findZone(db, id) : findAccount(db, id));
}

/** Holds the owner against every other change of its rulesets until the transaction ends. Errors: 404 code 1001. */
export async function holdOwner(tx: Db, owner: RulesetOwner): Promise<HeldOwner> {
  if (owner.level === "zone") return heldZone(await holdZone(tx, owner.id));
  await findAccount(tx, owner.id);
  await holdAccount(tx, owner.id);
  return { ...owner, logged: { accountId: owner.id }, plan: undefined };
}

/** A zone that the transaction holds already. */
export function heldZone(zone: ZoneRow): HeldOwner {
  return { ...ofZone(zone.id), logged: { zone }, plan: zone.plan };
}
