import { Type } from "@sinclair/typebox";

import { noEntryPoint, noRuleset, noTag, noVersion, readOnly } from "../../core/rulesets/ruleset-error.ts";
import { readPhase } from "../../core/rulesets/ruleset.ts";
import { Nothing } from "../../operation/scoped.ts";
import type { Db } from "../../storage/tables.ts";
import { deleteRows } from "../../storage/rows.ts";
import { toAnswer, toHead } from "./answers.ts";
import { changedParts, findOwnRuleset } from "./change.ts";
import {
  accountRulesets,
  phaseName,
  versionNumber,
  type Level,
  type RulesetOwner,
  type RulesetRead,
  type RulesetWrite,
} from "./levels.ts";
import { Ruleset, RulesetHead } from "./schema.ts";
import { selectEntryPointId, selectRuleset, selectVersionHeads } from "./store.ts";

/** Operations on the versions of rulesets, including managed ones. */
export function versionOperations({ level, path, of, read, write }: Level) {
  const isZone = level === "zone";
  return [
    /** The oldest stored version first. Errors: 404 code 10003, 400 for an unknown phase. */
    read({
      name: isZone ? "listEntryPointVersions" : "listAccountEntryPointVersions",
      summary: `List the versions of the entry point of a phase ${of}`,
      path: `${path}/phases/{ruleset_phase}/entrypoint/versions`,
      ids: phaseName,
      permission: "read",
      result: Type.Array(RulesetHead),
      run: async (work: RulesetRead, { params }) =>
        listVersions(work, await entryPointId(work.db, work.owner, params.ruleset_phase)),
    }),
    /** Errors: 404 code 10003 or 20301, 400 for an unknown phase. */
    read({
      name: isZone ? "getEntryPointVersion" : "getAccountEntryPointVersion",
      summary: `Get a version of the entry point of a phase ${of}`,
      path: `${path}/phases/{ruleset_phase}/entrypoint/versions/{ruleset_version}`,
      ids: { ...phaseName, ...versionNumber },
      permission: "read",
      result: Ruleset,
      run: async (work: RulesetRead, { params }) => {
        const id = await entryPointId(work.db, work.owner, params.ruleset_phase);
        return getVersion(work, id, params.ruleset_version);
      },
    }),
    /** The oldest stored version first. Errors: 404 code 20300. */
    read({
      name: isZone ? "listRulesetVersions" : "listAccountRulesetVersions",
      summary: `List the versions of a ruleset ${of}`,
      path: `${path}/{ruleset_id}/versions`,
      permission: "read",
      result: Type.Array(RulesetHead),
      run: (work: RulesetRead, { params }) => listVersions(work, params.ruleset_id),
    }),
    /** Errors: 404 code 20300 or 20301. */
    read({
      name: isZone ? "getRulesetVersion" : "getAccountRulesetVersion",
      summary: `Get a version of a ruleset ${of}`,
      path: `${path}/{ruleset_id}/versions/{ruleset_version}`,
      ids: versionNumber,
      permission: "read",
      result: Ruleset,
      run: (work: RulesetRead, { params }) => getVersion(work, params.ruleset_id, params.ruleset_version),
    }),
    /**
     * Errors: 400 code 20310 for the latest version and those of managed rulesets, 404 code 20300 or 20301.
     */
    write({
      name: isZone ? "deleteRulesetVersion" : "deleteAccountRulesetVersion",
      summary: `Delete a version of a ruleset ${of} that is not the latest`,
      method: "DELETE",
      path: `${path}/{ruleset_id}/versions/{ruleset_version}`,
      ids: versionNumber,
      permission: "write",
      result: Nothing,
      answersNothing: true,
      run: async (work: RulesetWrite, { params: { ruleset_id: id, ruleset_version: version } }) => {
        const { tx, owner, audit } = work;
        const latest = await findOwnRuleset(work, id);
        const stored = await selectRuleset(tx, owner, id, Number(version));
        if (stored === undefined) throw noVersion(version);
        if (stored.version === latest.version) {
          throw readOnly("the latest version of a ruleset cannot be deleted");
        }
        await deleteRows(tx, "ruleset_versions", { ruleset_id: id, version: stored.version });
        const parts = changedParts(stored, undefined);
        audit({ action: "ruleset_version_delete", id, ...parts });
      },
    }),
  ];
}

/** Errors: 404 code 20300, 20301 or 20303. */
export const listRulesByTag = accountRulesets.read({
  name: "listRulesByTag",
  summary: "List the rules of a managed ruleset in a category",
  path: `${accountRulesets.path}/{ruleset_id}/versions/{ruleset_version}/by_tag/{rule_tag}`,
  ids: { ...versionNumber, rule_tag: /./ },
  permission: "read",
  result: Ruleset,
  run: async (
    { context }: RulesetRead,
    { params: { ruleset_id: id, ruleset_version: version, rule_tag } },
  ) => {
    if (context.managed.find(id) === undefined) throw noRuleset();
    const ruleset = context.managed.find(id, version);
    if (ruleset === undefined) throw noVersion(version);
    const rules = ruleset.rules.filter(({ categories }) => categories?.includes(rule_tag));
    if (rules.length === 0) throw noTag();
    return toAnswer({ ...ruleset, rules });
  },
});

async function listVersions({ db, owner, context }: RulesetRead, id: string) {
  const managed = context.managed.versions(id);
  const versions = managed.length > 0 ? managed : await selectVersionHeads(db, owner, id);
  if (versions.length === 0) throw noRuleset();
  return versions.map(toHead);
}

async function getVersion({ db, owner, context: { managed } }: RulesetRead, id: string, version: string) {
  const ruleset = managed.find(id, version) ?? (await selectRuleset(db, owner, id, Number(version)));
  if (ruleset !== undefined) return toAnswer(ruleset);
  const isKnown = managed.find(id) !== undefined || (await selectRuleset(db, owner, id)) !== undefined;
  throw isKnown ? noVersion(version) : noRuleset();
}

/** Errors: 404 code 10003, 400 for an unknown phase. */
async function entryPointId(db: Db, owner: RulesetOwner, phase: string): Promise<string> {
  const id = await selectEntryPointId(db, owner, readPhase(phase, owner.level));
  if (id === undefined) throw noEntryPoint(phase);
  return id;
}
