import { settingStages } from "../../core/firewall-products/setting-product.ts";
import { storedLimits } from "../../core/expression/limits.ts";
import type { CompiledExpression, CompiledValueExpression } from "../../core/expression/compile.ts";
import { pageRuleStage } from "../../core/page-rules/page-rule-stage.ts";
import type { ListContents } from "../../core/lists/contents.ts";
import type { ManagedRulesets } from "../../core/judging/managed-rulesets.ts";
import { ExpressionCache } from "../../core/judging/expression-cache.ts";
import type { RunningRules } from "../../core/judging/judge-request.ts";
import {
  assembleProgram,
  assembleResponseProgram,
  coreLevelOf,
  programTellsVisitorsApart,
  type Products,
} from "../../core/judging/program.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { namedRulesetIds, type Ruleset } from "../../core/rulesets/ruleset.ts";
import { keyExpressionsOf } from "../../core/judging/runnable-limit.ts";
import { redirectExpressionsOf } from "../../core/judging/runnable-redirect.ts";
import { expressionsOf } from "../../core/transforms/rewrite.ts";
import type { RequestSource } from "../../core/firewall-products/access-rule.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { readAccessRules } from "../access-rules/access-rules.ts";
import { readFirewallRuleset } from "../firewall-rules/firewall-rules.ts";
import { readManagedTransforms } from "../managed-transforms/managed-transforms.ts";
import { readUserAgentRules } from "../user-agent-rules/user-agent-rules.ts";
import { readSteadySettings } from "../zone-settings/zone-settings.ts";
import { readZoneLockdowns } from "../zone-lockdowns/zone-lockdowns.ts";
import { listPageRulesOfZone } from "../page-rules/page-rules.ts";
import { readNamedLists, selectReferredLists, type Referrers } from "../lists/lists.ts";
import { ofAccount, ofZone, type RulesetContext } from "./levels.ts";
import { selectEntryPoints, selectRulesets, type StoredRuleset } from "./store.ts";

/** Compiled expressions in the cache: the managed rulesets and those of many zones. */
const compiledMax = 4_000;
/** Memory of their regular expressions. */
const compiledOctetsMax = 128 * 1024 * 1024;
/** The same of the rules of one zone, while they are used. */
const zoneOctetsMax = 256 * 1024 * 1024;

// An engine belongs to the process, and what it compiled with it.
const caches = new WeakMap<RulesetContext["loadExpressionEngine"], Promise<Caches>>();

interface Caches {
  readonly filters: ExpressionCache<CompiledExpression>;
  readonly values: ExpressionCache<CompiledValueExpression>;
}

/** The rules of a zone as they are stored. */
export interface StoredRules {
  readonly entryPoints: readonly Ruleset[];
  /** Those of the account that its entry points execute. */
  readonly custom: readonly Ruleset[];
  readonly lists: ReadonlyMap<string, ListContents>;
  readonly products: Products;
}

/** Those that an account has for all of its zones: its entry points, and what these execute. */
export type AccountRulesets = Pick<StoredRules, "entryPoints" | "custom">;

/** Those that a zone has for itself. */
export interface ZoneRules extends Pick<StoredRules, "entryPoints" | "products"> {
  /** The lists that they, and the filters of the zone, name. */
  readonly listNames: readonly string[];
}

/** What compiled expressions come from. */
interface CompiledExpressions {
  readonly filters: Expressions<CompiledExpression>;
  readonly values: Expressions<CompiledValueExpression>;
}

interface Expressions<Compiled> {
  readonly get: (source: string) => Compiled;
  readonly has: (source: string) => boolean;
}

/** Which requests a program judges. */
interface Judged {
  readonly zone: ZoneRow;
  /** Where they come from; undefined for anywhere. */
  readonly sources: readonly RequestSource[] | undefined;
  /** Replaces the entry point of its phase. */
  readonly proposed?: Ruleset | undefined;
}

export async function readAccountRulesets(db: Db, accountId: string): Promise<AccountRulesets> {
  const account = ofAccount(accountId);
  const roots = await selectEntryPoints(db, account);
  const named = [...new Set(roots.flatMap(({ rules }) => namedRulesetIds(fromJson(rules))))];
  const custom = await selectRulesets(db, account, named);
  return { entryPoints: roots.map(toRuleset), custom: custom.map(toRuleset) };
}

/** Reads the rulesets, the products and the transforms of a zone; `setting` is the value of a setting. */
export async function readZoneRules(
  db: Db,
  zone: ZoneRow,
  setting: (id: string) => unknown,
): Promise<ZoneRules> {
  const entryPoints = (await selectEntryPoints(db, ofZone(zone))).map(toRuleset);
  const lists = await selectReferredLists(db, referrersOf(zone, entryPoints));
  return {
    entryPoints: [...(await readFirewallRules(db, zone)), ...entryPoints],
    products: await readProducts(db, zone, undefined, setting),
    listNames: lists.map(({ name }) => name),
  };
}

/** Reads the rulesets of the account and of the zone, the products and the transforms. */
async function readRules(db: Db, { zone, sources, proposed }: Judged): Promise<StoredRules> {
  const account = await readAccountRulesets(db, zone.account_id);
  const own = (await selectEntryPoints(db, ofZone(zone))).map(toRuleset);
  const entryPoints = [
    ...account.entryPoints,
    ...own.filter(({ phase }) => phase !== proposed?.phase),
    ...(proposed === undefined ? [] : [proposed]),
  ];
  return {
    entryPoints: [...(await readFirewallRules(db, zone)), ...entryPoints],
    custom: account.custom,
    lists: await readNamedLists(db, referrersOf(zone, [...entryPoints, ...account.custom])),
    products: await readProducts(db, zone, sources, await readSteadySettings(db, zone)),
  };
}

async function readFirewallRules(db: Db, { id }: ZoneRow): Promise<Ruleset[]> {
  const ruleset = await readFirewallRuleset(db, id);
  return ruleset === undefined ? [] : [ruleset];
}

const referrersOf = ({ id, account_id }: ZoneRow, rulesets: readonly Ruleset[]): Referrers => ({
  accountId: account_id,
  zoneId: id,
  rulesetIds: rulesets.map((ruleset) => ruleset.id),
});

async function readProducts(
  db: Db,
  zone: ZoneRow,
  sources: Judged["sources"],
  setting: (id: string) => unknown,
): Promise<Products> {
  const products = [
    ...(await readAccessRules(db, zone, sources)),
    await readZoneLockdowns(db, zone),
    await readUserAgentRules(db, zone),
  ];
  return {
    products: products.filter((product) => product !== undefined),
    ...(await readManagedTransforms(db, zone)),
    pageRules: pageRuleStage(await listPageRulesOfZone(db, zone)),
    settings: settingStages(setting, zone.name),
  };
}

/** Compiles the expressions of stored rules, some at a time, and makes them ready to run. */
export async function compileRules(
  { entryPoints, custom, lists, products }: StoredRules,
  managed: ManagedRulesets,
  { filters, values }: CompiledExpressions,
): Promise<RunningRules> {
  const rules = [...entryPoints, ...custom].flatMap((ruleset) =>
    ruleset.rules.filter(({ enabled }) => enabled),
  );
  await compileEach(
    filters,
    rules.map(({ expression }) => expression),
  );
  await compileEach(values, rules.flatMap(valueExpressionsOf));
  const { coreRules } = managed;
  const library = {
    findRuleset: (id: string, version: string) =>
      managed.inForce(id, version) ?? custom.find((ruleset) => ruleset.id === id),
    isCoreRelease: (ruleset: Ruleset) => managed.isCoreRelease(ruleset),
    compile: (expression: string) => filters.get(expression),
    compileValue: (expression: string) => values.get(expression),
    redirectFor: (name: string, url: string) => lists.get(name)?.redirectFor(url),
  };
  const program = assembleProgram(entryPoints, library, products);
  return {
    program,
    responseProgram: assembleResponseProgram(entryPoints, library),
    responseChanges: products.responseChanges ?? [],
    meets: (expression, request) => filters.get(expression).evaluate(request),
    lists: new Map([...lists].map(([name, { has }]) => [name, has])),
    coreRules,
    coreLevel: coreLevelOf(program),
    tellsVisitorsApart: programTellsVisitorsApart(program),
  };
}

/**
 * Calls `use` with what judges and changes requests to a zone. `use` must be synchronous, as unused expressions are freed
 * afterwards.
 */
export async function withProgramOf<T>(
  context: RulesetContext,
  judged: Judged,
  use: (rules: RunningRules) => T,
): Promise<T> {
  const stored = await readRules(context.db.read, judged);
  const { filters, values } = await cachesOf(context);
  try {
    const bounded = boundOctets();
    const compiled = { filters: bounded(filters), values: bounded(values) };
    return use(await compileRules(stored, context.managed, compiled));
  } finally {
    filters.trim(compiledMax, compiledOctetsMax);
    values.trim(compiledMax, compiledOctetsMax);
  }
}

/** Bounds what expressions of one zone take. Their `get` throws: 413 code 10413 where that is too much. */
function boundOctets() {
  const counted = new Set<string>();
  let octets = 0;
  return <Compiled extends { readonly octets: number }>(
    expressions: Expressions<Compiled>,
  ): Expressions<Compiled> => ({
    has: (source) => counted.has(source) && expressions.has(source),
    get: (source) => {
      const compiled = expressions.get(source);
      if (counted.has(source)) return compiled;
      counted.add(source);
      octets += compiled.octets;
      if (octets > zoneOctetsMax) throw tooLarge();
      return compiled;
    },
  });
}

function tooLarge(): AppError {
  return new AppError(
    "too-large",
    errorCodes.request.bodyTooLarge,
    `The regular expressions of the zone's rules take more than ${zoneOctetsMax / 1024 / 1024} MiB of memory`,
  );
}

function valueExpressionsOf({ action, action_parameters, ratelimit }: Rule): string[] {
  return [
    ...(action === "rewrite" ? expressionsOf(action_parameters) : []),
    ...(action === "redirect" ? redirectExpressionsOf(action_parameters) : []),
    ...(ratelimit === undefined ? [] : keyExpressionsOf(ratelimit)),
  ];
}

async function compileEach(expressions: Expressions<unknown>, sources: readonly string[]): Promise<void> {
  const pause = createPause();
  for (const source of sources) {
    if (expressions.has(source)) continue;
    expressions.get(source);
    await pause();
  }
}

function cachesOf({ loadExpressionEngine }: RulesetContext): Promise<Caches> {
  const known = caches.get(loadExpressionEngine);
  if (known !== undefined) return known;
  const made = loadExpressionEngine().then((engine): Caches => ({
    filters: new ExpressionCache((source) => engine.compileFilter(source, { limits: storedLimits })),
    values: new ExpressionCache((source) => engine.compileValue(source, { limits: storedLimits })),
  }));
  caches.set(loadExpressionEngine, made);
  return made;
}

function toRuleset({
  id,
  name,
  description,
  kind,
  phase,
  version,
  last_updated,
  rules,
}: StoredRuleset): Ruleset {
  return {
    id,
    name,
    description,
    kind,
    version: String(version),
    rules: fromJson(rules),
    last_updated,
    phase,
  };
}
