import type { Caller } from "../../core/caller.ts";
import type { JsonText } from "../../core/json-text.ts";
import { findManagedRuleset, managedVersions } from "../../core/rulesets/managed-rulesets.ts";
import { noRuleset, noTag, noVersion, readOnly } from "../../core/rulesets/ruleset-error.ts";
import { toAnswer, toHead } from "./answers.ts";
import { changeRulesets, findOwnRuleset, type RulesetContext } from "./change.ts";
import { findOwner, type RulesetOwner } from "./owner.ts";
import { findEntryPointId } from "./rulesets.ts";
import { deleteVersionRow, selectRuleset, selectVersionHeads } from "./store.ts";

/** The versions that are kept, from the first. Errors: 404 code 1001 or 20300. */
export async function listRulesetVersions({ db, vendor }: RulesetContext, owner: RulesetOwner, id: string) {
  await findOwner(db.read, owner);
  const managed = managedVersions(id, vendor);
  const versions = managed.length > 0 ? managed : await selectVersionHeads(db.read, owner, id);
  if (versions.length === 0) throw noRuleset();
  return versions.map(toHead);
}

/** Errors: 404 code 1001, 20300 or 20301. */
export async function getRulesetVersion(
  { db, vendor }: RulesetContext,
  owner: RulesetOwner,
  id: string,
  version: string,
): Promise<JsonText> {
  await findOwner(db.read, owner);
  const ruleset =
    findManagedRuleset(id, vendor, version) ?? (await selectRuleset(db.read, owner, id, Number(version)));
  if (ruleset !== undefined) return toAnswer(ruleset);
  const isKnown =
    findManagedRuleset(id, vendor) !== undefined || (await selectRuleset(db.read, owner, id)) !== undefined;
  throw isKnown ? noVersion(version) : noRuleset();
}

/**
 * Deletes a version that is no longer in force. Errors: 400 code 20310 for the latest version and those of managed
 * rulesets, 404 code 1001, 20300 or 20301.
 */
export async function deleteRulesetVersion(
  context: RulesetContext,
  caller: Caller,
  owner: RulesetOwner,
  id: string,
  version: string,
): Promise<void> {
  await changeRulesets(context, caller, owner, { dryRun: false }, async ({ tx, log }) => {
    const latest = await findOwnRuleset(context, tx, owner, id);
    const stored = await selectRuleset(tx, owner, id, Number(version));
    if (stored === undefined) throw noVersion(version);
    if (stored.version === latest.version)
      throw readOnly("the latest version of a ruleset cannot be deleted");
    await deleteVersionRow(tx, id, stored.version);
    await log("ruleset_version_delete", stored);
  });
}

/** The rules of a version that are of a category. Errors: 404 code 1001, 20300, 20301 or 20303. */
export async function listRulesByTag(
  { db, vendor }: RulesetContext,
  owner: RulesetOwner,
  id: string,
  { version, tag }: { readonly version: string; readonly tag: string },
): Promise<JsonText> {
  await findOwner(db.read, owner);
  if (findManagedRuleset(id, vendor) === undefined) throw noRuleset();
  const ruleset = findManagedRuleset(id, vendor, version);
  if (ruleset === undefined) throw noVersion(version);
  const rules = ruleset.rules.filter(({ categories }) => categories?.includes(tag));
  if (rules.length === 0) throw noTag();
  return toAnswer({ ...ruleset, rules });
}

/** Errors: 404 code 1001 or 10003, 400 for a phase that there is not. */
export async function listEntryPointVersions(
  context: RulesetContext,
  owner: RulesetOwner,
  phaseName: string,
) {
  const id = await findEntryPointId(context.db.read, owner, phaseName);
  return listRulesetVersions(context, owner, id);
}

/** Errors: 404 code 1001, 10003 or 20301, 400 for a phase that there is not. */
export async function getEntryPointVersion(
  context: RulesetContext,
  owner: RulesetOwner,
  phaseName: string,
  version: string,
): Promise<JsonText> {
  const id = await findEntryPointId(context.db.read, owner, phaseName);
  return getRulesetVersion(context, owner, id, version);
}
