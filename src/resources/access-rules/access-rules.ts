import { accessRuleStages, placesOf, type RequestSource } from "../../core/firewall-products/access-rule.ts";
import type { ProductStage } from "../../core/firewall-products/product.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { listSuperAdministrators } from "../memberships/memberships.ts";
import { selectAccessRulesAbout } from "./store.ts";

/** All IP Access Rules that judge requests to every zone of an account, as text: its own, and those of its super administrators. */
export async function readAccountAccessRules(db: Db, accountId: string): Promise<string> {
  const scopeIds = [accountId, ...(await listSuperAdministrators(db, accountId))];
  return JSON.stringify(await selectAccessRulesAbout(db, scopeIds, undefined));
}

/**
 * The IP Access Rules that judge requests to a zone from these sources: its own, then those of its account, then those of
 * the account's super administrators. Without sources, those about any.
 */
export async function readAccessRules(
  db: Db,
  zone: Pick<ZoneRow, "id" | "account_id">,
  sources: readonly RequestSource[] | undefined,
): Promise<ProductStage[]> {
  const { id, account_id } = zone;
  const scopeIds = [id, account_id, ...(await listSuperAdministrators(db, account_id))];
  const values = sources && new Set(sources.flatMap(placesOf).map(({ value }) => value));
  const rules = await selectAccessRulesAbout(db, scopeIds, values && [...values]);
  return accessRuleStages(
    scopeIds.flatMap((scopeId) => rules.filter(({ scope_id }) => scope_id === scopeId)),
  );
}
