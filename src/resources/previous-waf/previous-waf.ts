import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import {
  findWafGroup,
  findWafPackage,
  findWafRule,
  wafGroups,
  wafPackages,
  wafRules,
  type WafGroup as CatalogueGroup,
  type WafPackage as CataloguePackage,
  type WafRule as CatalogueRule,
} from "../../core/previous-waf/catalogue.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type Change } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { requirePreviousWaf } from "../zones/zones.ts";
import { toWafGroup, toWafPackage, toWafRule } from "./answers.ts";
import { readChosen, type Chosen } from "./chosen.ts";
import { parseMode } from "./modes.ts";
import { pageOf } from "./page-of.ts";
import type {
  EditWafGroupBody,
  EditWafPackageBody,
  EditWafRuleBody,
  ListWafGroupsQuery,
  ListWafPackagesQuery,
  ListWafRulesQuery,
  WafGroup,
  WafPackage,
  WafPackagePreset,
  WafRule,
} from "./schema.ts";
import { upsertWafGroup, upsertWafPackage, upsertWafRule } from "./store.ts";

export { readPackageState } from "./package-state.ts";

/** Errors: 404 code 1001, 410 code 10410 once the zone has migrated. */
export async function listWafPackages(
  { db }: Context,
  zoneId: string,
  query: ListWafPackagesQuery,
  page: PageRequest<"name">,
): Promise<Page<WafPackage>> {
  const zone = await findPreviousZone(db.read, zoneId);
  const chosen = await readChosen(db.read, zone);
  const listed = wafPackages
    .filter(({ name }) => !query.name || name === query.name)
    .map((entry) => toWafPackage(entry, zone, chosen));
  return pageOf(listed, page, { name: ({ name }) => name });
}

/**
 * Sets what a seed says of a package, its groups and rules; part of the transaction that makes the zone.
 * Errors: as `editWafPackage`, `editWafGroup` and `editWafRule`.
 */
export async function presetWafPackage(tx: Db, zone: ZoneRow, preset: WafPackagePreset): Promise<void> {
  const { id, sensitivity, action_mode, groups = [], rules = [] } = preset;
  const found = findPackage(id);
  if (sensitivity != null || action_mode != null) {
    requireAnomaly(found);
    const { owasp } = await readChosen(tx, zone);
    await upsertWafPackage(tx, {
      zone_id: zone.id,
      sensitivity: sensitivity ?? owasp.sensitivity,
      action_mode: action_mode ?? owasp.action_mode,
    });
  }
  for (const group of groups) {
    findGroup(id, group.id);
    await upsertWafGroup(tx, { zone_id: zone.id, group_id: group.id, mode: group.mode });
  }
  for (const rule of rules) {
    const mode = parseMode(findRule(id, rule.id), rule.mode);
    await upsertWafRule(tx, { zone_id: zone.id, rule_id: rule.id, mode });
  }
}

/** Errors: as `listWafPackages`, and 404 code 1002. */
export async function getWafPackage({ db }: Context, zoneId: string, packageId: string): Promise<WafPackage> {
  const zone = await findPreviousZone(db.read, zoneId);
  return toWafPackage(findPackage(packageId), zone, await readChosen(db.read, zone));
}

/** Errors: as `getWafPackage`, and 400 code 1027 for a package that has nothing to change. */
export async function editWafPackage(
  context: Context,
  caller: Caller,
  zoneId: string,
  packageId: string,
  body: EditWafPackageBody,
): Promise<WafPackage> {
  return change(context, caller, zoneId, "waf_package_edit", async (tx, zone, chosen) => {
    const found = findPackage(packageId);
    requireAnomaly(found);
    const owasp = {
      ...chosen.owasp,
      sensitivity: body.sensitivity ?? chosen.owasp.sensitivity,
      action_mode: body.action_mode ?? chosen.owasp.action_mode,
    };
    await upsertWafPackage(tx, owasp);
    return {
      id: packageId,
      before: toWafPackage(found, zone, chosen),
      after: toWafPackage(found, zone, { ...chosen, owasp }),
    };
  });
}

/** Errors: as `getWafPackage`. */
export async function listWafGroups(
  { db }: Context,
  zoneId: string,
  packageId: string,
  query: ListWafGroupsQuery,
  page: PageRequest<"mode" | "rules_count">,
): Promise<Page<WafGroup>> {
  const zone = await findPreviousZone(db.read, zoneId);
  findPackage(packageId);
  const chosen = await readChosen(db.read, zone);
  const listed = wafGroups
    .filter((group) => group.packageId === packageId)
    .map((group) => toWafGroup(group, chosen))
    .filter((group) =>
      matches(query.match, [
        ...whereGiven(query.name, (name) => group.name === name),
        ...whereGiven(query.mode, (mode) => group.mode === mode),
        ...whereGiven(query.rules_count, (count) => group.rules_count === count),
      ]),
    );
  return pageOf(listed, page, { mode: ({ mode }) => mode, rules_count: (group) => group.rules_count });
}

/** Errors: as `getWafPackage`, and 404 code 1002 for the group. */
export async function getWafGroup(
  { db }: Context,
  zoneId: string,
  packageId: string,
  groupId: string,
): Promise<WafGroup> {
  const zone = await findPreviousZone(db.read, zoneId);
  return toWafGroup(findGroup(packageId, groupId), await readChosen(db.read, zone));
}

/** Errors: as `getWafGroup`. */
export async function editWafGroup(
  context: Context,
  caller: Caller,
  zoneId: string,
  packageId: string,
  groupId: string,
  { mode }: EditWafGroupBody,
): Promise<WafGroup> {
  return change(context, caller, zoneId, "waf_group_edit", async (tx, zone, chosen) => {
    const group = findGroup(packageId, groupId);
    await upsertWafGroup(tx, { zone_id: zone.id, group_id: groupId, mode });
    const groups = new Map([...chosen.groups, [groupId, mode]]);
    return {
      id: groupId,
      before: toWafGroup(group, chosen),
      after: toWafGroup(group, { ...chosen, groups }),
    };
  });
}

const filterModes = { DIS: "disable", CHL: "challenge", BLK: "block", SIM: "simulate" } as const;

/** Errors: as `getWafPackage`. */
export async function listWafRules(
  { db }: Context,
  zoneId: string,
  packageId: string,
  query: ListWafRulesQuery,
  page: PageRequest<"priority" | "group_id" | "description">,
): Promise<Page<WafRule>> {
  const zone = await findPreviousZone(db.read, zoneId);
  findPackage(packageId);
  const chosen = await readChosen(db.read, zone);
  const listed = wafRules
    .filter((rule) => rule.packageId === packageId)
    .map((rule) => toWafRule(rule, chosen))
    .filter((rule) =>
      matches(query.match, [
        ...whereGiven(query.description, (text) =>
          rule.description.toLowerCase().includes(text.toLowerCase()),
        ),
        ...whereGiven(query.mode, (mode) => rule.mode === filterModes[mode]),
        ...whereGiven(query.group_id, (id) => rule.group.id === id),
        ...whereGiven(query.priority, (priority) => rule.priority === priority),
      ]),
    );
  return pageOf(listed, page, {
    priority: ({ priority }) => Number(priority),
    group_id: ({ group }) => group.id,
    description: ({ description }) => description,
  });
}

/** Errors: as `getWafPackage`, and 404 code 1002 for the rule. */
export async function getWafRule(
  { db }: Context,
  zoneId: string,
  packageId: string,
  ruleId: string,
): Promise<WafRule> {
  const zone = await findPreviousZone(db.read, zoneId);
  return toWafRule(findRule(packageId, ruleId), await readChosen(db.read, zone));
}

/** Errors: as `getWafRule`, and 400 code 1003 for a mode that the rule does not have. */
export async function editWafRule(
  context: Context,
  caller: Caller,
  zoneId: string,
  packageId: string,
  ruleId: string,
  body: EditWafRuleBody,
): Promise<WafRule> {
  return change(context, caller, zoneId, "waf_rule_edit", async (tx, zone, chosen) => {
    const rule = findRule(packageId, ruleId);
    const mode = parseMode(rule, body.mode);
    await upsertWafRule(tx, { zone_id: zone.id, rule_id: ruleId, mode });
    const rules = new Map([...chosen.rules, [ruleId, mode]]);
    return { id: ruleId, before: toWafRule(rule, chosen), after: toWafRule(rule, { ...chosen, rules }) };
  });
}

async function findPreviousZone(db: Db, zoneId: string): Promise<ZoneRow> {
  return requirePreviousWaf(await findZone(db, zoneId));
}

interface Changed<Shown> {
  readonly id: string;
  readonly before: Shown;
  readonly after: Shown;
}

async function change<Shown>(
  context: Context,
  caller: Caller,
  zoneId: string,
  action: Extract<Change["action"], `waf_${string}_edit`>,
  apply: (tx: Db, zone: ZoneRow, chosen: Chosen) => Promise<Changed<Shown>>,
): Promise<Shown> {
  return context.db.transaction(async (tx) => {
    const zone = requirePreviousWaf(await lockZone(tx, zoneId));
    const { id, before, after } = await apply(tx, zone, await readChosen(tx, zone));
    const resource = { type: action.replace("_edit", ""), id };
    const logged: Change = { action, owner: { zone }, resource, before, after };
    await recordChanges(context, tx, caller, [logged]);
    return after;
  });
}

function requireAnomaly({ detectionMode }: CataloguePackage): void {
  if (detectionMode === "anomaly") return;
  throw new AppError("invalid", 1027, "Only anomaly WAF packages can have their package attributes updated");
}

/** Without conditions everything matches, whichever way. */
function matches(match: "any" | "all" = "all", conditions: readonly boolean[]): boolean {
  return match === "any" && conditions.length > 0 ? conditions.some(Boolean) : conditions.every(Boolean);
}

function whereGiven<T>(filter: T | undefined, holds: (filter: T) => boolean): boolean[] {
  return filter === undefined ? [] : [holds(filter)];
}

function findPackage(id: string): CataloguePackage {
  return findWafPackage(id) ?? refuseUnknown("package");
}

function findGroup(packageId: string, id: string): CatalogueGroup {
  findPackage(packageId);
  const group = findWafGroup(id);
  return group?.packageId === packageId ? group : refuseUnknown("group");
}

function findRule(packageId: string, id: string): CatalogueRule {
  findPackage(packageId);
  const rule = findWafRule(id);
  return rule?.packageId === packageId ? rule : refuseUnknown("rule");
}

function refuseUnknown(what: string): never {
  throw new AppError("not-found", 1002, `Invalid WAF ${what} identifier`);
}
