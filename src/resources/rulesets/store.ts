import { countRows } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { RulesetRow, RulesetVersionRow } from "../../storage/schema/rules.ts";
import type { RulesetOwner } from "./levels.ts";

export type StoredRuleset = RulesetRow & Omit<RulesetVersionRow, "ruleset_id">;
export type StoredHead = Omit<StoredRuleset, "rules">;

const headColumns = [
  "rulesets.id",
  "rulesets.zone_id",
  "rulesets.account_id",
  "rulesets.kind",
  "rulesets.phase",
  "ruleset_versions.version",
  "ruleset_versions.name",
  "ruleset_versions.description",
  "ruleset_versions.last_updated",
] as const;

/** The latest versions of the owner's rulesets, the oldest ruleset first. */
export async function selectRulesetHeads(db: Db, owner: RulesetOwner): Promise<StoredHead[]> {
  return ownedRulesets(db, owner)
    .whereRef("ruleset_versions.version", "=", "rulesets.version")
    .select(headColumns)
    .orderBy("rulesets.id")
    .execute();
}

/** A ruleset of the owner, in its latest version unless one is given. */
export async function selectRuleset(
  db: Db,
  owner: RulesetOwner,
  id: string,
  version?: number,
): Promise<StoredRuleset | undefined> {
  const query = ownedRulesets(db, owner).where("rulesets.id", "=", id);
  const inVersion =
    version === undefined
      ? query.whereRef("ruleset_versions.version", "=", "rulesets.version")
      : query.where("ruleset_versions.version", "=", version);
  return inVersion.select([...headColumns, "ruleset_versions.rules"]).executeTakeFirst();
}

/** The latest versions of those of the rulesets that belong to the owner, in the order of their ids. */
export async function selectRulesets(
  db: Db,
  owner: RulesetOwner,
  ids: readonly string[],
): Promise<StoredRuleset[]> {
  if (ids.length === 0) return [];
  return ownedRulesets(db, owner)
    .where("rulesets.id", "in", ids)
    .whereRef("ruleset_versions.version", "=", "rulesets.version")
    .select([...headColumns, "ruleset_versions.rules"])
    .orderBy("rulesets.id")
    .execute();
}

/** The latest version. */
export async function selectEntryPoint(
  db: Db,
  owner: RulesetOwner,
  phase: RulesetRow["phase"],
): Promise<StoredRuleset | undefined> {
  return entryPoints(db, owner).where("rulesets.phase", "=", phase).executeTakeFirst();
}

/** The latest versions. */
export async function selectEntryPoints(db: Db, owner: RulesetOwner): Promise<StoredRuleset[]> {
  return entryPoints(db, owner).orderBy("rulesets.id").execute();
}

/** The latest versions of the entry points of zones. */
export async function selectEntryPointsOfZones(db: Db, zoneIds: readonly string[]): Promise<StoredRuleset[]> {
  return rulesetsWithVersions(db)
    .where("rulesets.zone_id", "in", zoneIds)
    .where("rulesets.kind", "=", "zone")
    .whereRef("ruleset_versions.version", "=", "rulesets.version")
    .select([...headColumns, "ruleset_versions.rules"])
    .orderBy("rulesets.id")
    .execute();
}

export async function selectEntryPointId(
  db: Db,
  { level, id }: RulesetOwner,
  phase: RulesetRow["phase"],
): Promise<string | undefined> {
  const row = await db
    .selectFrom("rulesets")
    .select("id")
    .where(level === "zone" ? "zone_id" : "account_id", "=", id)
    .where("kind", "=", level === "zone" ? "zone" : "root")
    .where("phase", "=", phase)
    .executeTakeFirst();
  return row?.id;
}

export async function countCustomRulesets(db: Db, accountId: string): Promise<number> {
  return countRows(
    db.selectFrom("rulesets").where("account_id", "=", accountId).where("kind", "=", "custom"),
  );
}

/** The stored versions, the oldest first. */
export async function selectVersionHeads(db: Db, owner: RulesetOwner, id: string): Promise<StoredHead[]> {
  return ownedRulesets(db, owner)
    .where("rulesets.id", "=", id)
    .select(headColumns)
    .orderBy("ruleset_versions.version")
    .execute();
}

function entryPoints(db: Db, owner: RulesetOwner) {
  return ownedRulesets(db, owner)
    .where("rulesets.kind", "in", ["zone", "root"])
    .whereRef("ruleset_versions.version", "=", "rulesets.version")
    .select([...headColumns, "ruleset_versions.rules"]);
}

function ownedRulesets(db: Db, { level, id }: RulesetOwner) {
  return rulesetsWithVersions(db).where(
    level === "zone" ? "rulesets.zone_id" : "rulesets.account_id",
    "=",
    id,
  );
}

function rulesetsWithVersions(db: Db) {
  return db
    .selectFrom("rulesets")
    .innerJoin("ruleset_versions", "ruleset_versions.ruleset_id", "rulesets.id");
}
