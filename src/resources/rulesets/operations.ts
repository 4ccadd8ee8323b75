import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import type { Phase } from "../../core/expression/phases.ts";
import { storedTexts } from "../../core/in-force/in-force.ts";
import { phasesInForce } from "../../core/in-force/rules.ts";
import { rulesetLimits } from "../../core/rulesets/limits.ts";
import { phaseDefinitions } from "../../core/rulesets/phases.ts";
import {
  inUse,
  invalidValue,
  limitExceeded,
  noEntryPoint,
  noRuleset,
} from "../../core/rulesets/ruleset-error.ts";
import { namedRulesetIds, readNewRuleset, readPhase, readReplacement } from "../../core/rulesets/ruleset.ts";
import { Nothing } from "../../operation/scoped.ts";
import { deleteRow } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { toAnswer, toHead } from "./answers.ts";
import { changedParts, findOwnRuleset } from "./change.ts";
import {
  accountRulesets,
  phaseName,
  zoneRulesets,
  type Level,
  type RulesetOwner,
  type RulesetRead,
  type RulesetWrite,
} from "./levels.ts";
import { ruleOperations } from "./rule-operations.ts";
import { makeRuleset, replaceVersion } from "./rulesets.ts";
import { CreateRulesetBody, DryRunQuery, ReplaceRulesetBody, Ruleset, RulesetHead } from "./schema.ts";
import {
  countCustomRulesets,
  selectEntryPoint,
  selectEntryPointId,
  selectEntryPoints,
  selectRuleset,
  selectRulesetHeads,
} from "./store.ts";
import { versionOperations } from "./version-operations.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

/**
 * The operations on rulesets of one level. `waf-migration/` replaces entry points, which may migrate the
 * zone.
 */
function operationsOf(ofLevel: Level) {
  const { level, path, of, read, write } = ofLevel;
  const isZone = level === "zone";
  return [
    /** Managed rulesets first; for a zone without those of account phases. */
    read({
      name: isZone ? "listRulesets" : "listAccountRulesets",
      summary: `List the rulesets ${of}, the managed ones first`,
      path,
      permission: "read",
      result: Type.Array(RulesetHead),
      run: async ({ db, owner, context }: RulesetRead) => {
        const managed = context.managed
          .latest()
          .filter(({ phase }) => !isZone || phaseDefinitions[phase].isOfAccounts !== true);
        return [...managed, ...(await selectRulesetHeads(db, owner))].map(toHead);
      },
    }),
    /** Errors: 400 code 20217 for a second entry point of a phase, 400 with a pointer for an invalid body. */
    write({
      name: isZone ? "createRuleset" : "createAccountRuleset",
      summary: `Create a ruleset ${of}`,
      method: "POST",
      path,
      permission: "write",
      query: DryRunQuery,
      body: CreateRulesetBody,
      result: Ruleset,
      prepare: prepareChecks(),
      run: async (work: RulesetWrite, { query, body, prepared: engine }) => {
        const { tx, owner } = work;
        const { kind, phase, ...properties } = readNewRuleset(body, owner.level);
        if (kind === "custom") await refuseTooManyCustomRulesets(tx, owner);
        else if ((await selectEntryPointId(tx, owner, phase)) !== undefined) {
          const reason = `exceeded maximum number of ${kind} rulesets for phase ${phase}`;
          throw invalidValue("/kind", kind, reason, "tooManyEntryPoints");
        }
        const change = { ...work, engine, dryRun: query.dry_run ?? false };
        return (await makeRuleset(change, { kind, phase }, properties)).answer;
      },
    }),
    /** Errors: 404 code 10003, 400 for an unknown phase. */
    read({
      name: isZone ? "getEntryPoint" : "getAccountEntryPoint",
      summary: `Get the entry point of a phase ${of}`,
      path: `${path}/phases/{ruleset_phase}/entrypoint`,
      ids: phaseName,
      permission: "read",
      result: Ruleset,
      run: async ({ db, owner, addMessage }: RulesetRead, { params: { ruleset_phase } }) => {
        const ruleset = await selectEntryPoint(db, owner, readPhase(ruleset_phase, owner.level));
        if (ruleset === undefined) throw noEntryPoint(ruleset_phase);
        tellPhase(addMessage, ruleset);
        return toAnswer(ruleset);
      },
    }),
    /** Errors: 404 code 20300. */
    read({
      name: isZone ? "getRuleset" : "getAccountRuleset",
      summary: `Get a ruleset ${of}, or a managed one`,
      path: `${path}/{ruleset_id}`,
      permission: "read",
      result: Ruleset,
      run: async ({ db, owner, context, addMessage }: RulesetRead, { params: { ruleset_id: id } }) => {
        const ruleset = context.managed.find(id) ?? (await selectRuleset(db, owner, id));
        if (ruleset === undefined) throw noRuleset();
        tellPhase(addMessage, ruleset);
        return toAnswer(ruleset);
      },
    }),
    /**
     * Errors: 400 with a pointer for an invalid body, 400 code 20310 for a managed ruleset, 404 code 20300.
     */
    write({
      name: isZone ? "replaceRuleset" : "replaceAccountRuleset",
      summary: `Replace a ruleset ${of} by a new version`,
      method: "PUT",
      path: `${path}/{ruleset_id}`,
      permission: "write",
      query: DryRunQuery,
      body: ReplaceRulesetBody,
      result: Ruleset,
      prepare: prepareChecks(),
      run: async (work: RulesetWrite, { params, query, body, prepared: engine }) => {
        const stored = await findOwnRuleset(work, params.ruleset_id);
        const change = { ...work, engine, dryRun: query.dry_run ?? false };
        return (await replaceVersion(change, stored, readReplacement(body, stored))).answer;
      },
    }),
    /**
     * Errors: 400 code 20311 for one that rules execute, 400 code 20310 for a managed one, 404 code 20300.
     */
    write({
      name: isZone ? "deleteRuleset" : "deleteAccountRuleset",
      summary: `Delete a ruleset ${of} with all of its versions`,
      method: "DELETE",
      path: `${path}/{ruleset_id}`,
      permission: "write",
      query: DryRunQuery,
      result: Nothing,
      answersNothing: true,
      run: async (work: RulesetWrite, { params: { ruleset_id: id }, query }) => {
        const { tx, owner, audit } = work;
        const stored = await findOwnRuleset(work, id);
        if (stored.kind === "custom") await refuseNamed(tx, owner, id);
        if (query.dry_run) return;
        await deleteRow(tx, "rulesets", id);
        audit({ action: "ruleset_delete", id, ...changedParts(stored, undefined) });
      },
    }),
    ...ruleOperations(ofLevel),
    ...versionOperations(ofLevel),
  ];
}

async function refuseTooManyCustomRulesets(tx: Db, owner: RulesetOwner): Promise<void> {
  const { customRulesetsMax } = rulesetLimits;
  if ((await countCustomRulesets(tx, owner.id)) < customRulesetsMax) return;
  throw limitExceeded("/kind", "custom rulesets of the account", customRulesetsMax);
}

async function refuseNamed(tx: Db, owner: RulesetOwner, id: string): Promise<void> {
  for (const { phase, rules } of await selectEntryPoints(tx, owner)) {
    if (namedRulesetIds(fromJson(rules)).includes(id)) {
      throw inUse(`the ruleset is named by rules of the entry point of phase ${phase}`);
    }
  }
}

export { listRulesByTag } from "./version-operations.ts";
export const rulesetOperations = [zoneRulesets, accountRulesets].flatMap(operationsOf);

/**
 * Says of a ruleset that is read if its phase is not in force; of its rules says so the answer to who stores
 * them.
 */
function tellPhase(addMessage: RulesetRead["addMessage"], { phase }: { readonly phase: Phase }): void {
  for (const message of storedTexts(phasesInForce, [phase]))
    addMessage({ code: errorCodes.rulesets.notInForce, message });
}
