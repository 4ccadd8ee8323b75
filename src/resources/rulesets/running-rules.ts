import type { ListTest, RequestContext } from "../../core/expression/context.ts";
import { ruleLimits, type ExpressionLimits } from "../../core/expression/limits.ts";
import { findManagedRuleset } from "../../core/rulesets/managed-rulesets.ts";
import { ExpressionCache } from "../../core/rulesets/expression-cache.ts";
import { assembleProgram, type Program } from "../../core/rulesets/program.ts";
import { namedRulesetIds, type Ruleset } from "../../core/rulesets/ruleset.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import { readManagedTransforms } from "../managed-transforms/managed-transforms.ts";
import { readUserAgentRules } from "../user-agent-rules/user-agent-rules.ts";
import { readZoneLockdowns } from "../zone-lockdowns/zone-lockdowns.ts";
import { readNamedLists } from "../lists/lists.ts";
import { ofAccount, ofZone, type RulesetContext } from "./levels.ts";
import { selectEntryPoints, selectRulesets, type StoredRuleset } from "./store.ts";

/** Expressions that stay compiled: those of the managed rulesets, and of many zones besides. */
const compiledMax = 4_000;

// An engine belongs to the process, and what it compiled with it.
const caches = new WeakMap<RulesetContext["loadExpressionEngine"], Promise<ExpressionCache>>();

/** What a filter of the previous kind may hold is compiled as well: it may be longer than a rule. */
const limits: ExpressionLimits = { ...ruleLimits, octetsMax: 16 * 1024 };

/** Whether a request meets an expression that is stored. */
export type Meets = (expression: string, request: RequestContext) => boolean;

/**
 * Runs `use` with what judges and changes requests to a zone: rulesets of its account, its own, its products and transforms. `use` must not wait,
 * because unused expressions are freed afterwards. A `proposed` entry point replaces that of the zone.
 */
export async function withProgramOf<T>(
  context: RulesetContext,
  zone: ZoneRow,
  use: (program: Program, meets: Meets, lists: ReadonlyMap<string, ListTest>) => T,
  proposed?: Ruleset,
): Promise<T> {
  const { db, vendor } = context;
  const account = ofAccount(zone.account_id);
  const roots = await selectEntryPoints(db.read, account);
  const named = [...new Set(roots.flatMap(({ rules }) => namedRulesetIds(fromJson(rules))))];
  const custom = (await selectRulesets(db.read, account, named)).map(toRuleset);
  const own = (await selectEntryPoints(db.read, ofZone(zone))).map(toRuleset);
  const entryPoints = [
    ...roots.map(toRuleset),
    ...own.filter(({ phase }) => phase !== proposed?.phase),
    ...(proposed === undefined ? [] : [proposed]),
  ];
  const rulesetIds = [...entryPoints, ...custom].map(({ id }) => id);
  const lists = await readNamedLists(db.read, { accountId: zone.account_id, zoneId: zone.id, rulesetIds });
  const cache = await cacheOf(context);
  await compileEach(cache, [...entryPoints, ...custom]);
  const library = {
    findRuleset: (id: string, version: string) =>
      findManagedRuleset(id, vendor, version) ?? custom.find((ruleset) => ruleset.id === id),
    compile: (expression: string) => cache.get(expression),
    redirectFor: (name: string, url: string) => lists.get(name)?.redirectFor(url),
  };
  const products = [await readZoneLockdowns(db.read, zone), await readUserAgentRules(db.read, zone)];
  const program = assembleProgram(entryPoints, library, {
    products: products.filter((product) => product !== undefined),
    transforms: await readManagedTransforms(db.read, zone),
  });
  try {
    const meets: Meets = (expression, request) => cache.get(expression).evaluate(request);
    return use(program, meets, new Map([...lists].map(([name, { has }]) => [name, has])));
  } finally {
    cache.trim(compiledMax);
  }
}

async function compileEach(cache: ExpressionCache, rulesets: readonly Ruleset[]): Promise<void> {
  const pause = createPause();
  for (const { rules } of rulesets) {
    for (const { expression, enabled } of rules) {
      if (!enabled || cache.has(expression)) continue;
      cache.get(expression);
      await pause();
    }
  }
}

function cacheOf({ loadExpressionEngine }: RulesetContext): Promise<ExpressionCache> {
  const known = caches.get(loadExpressionEngine);
  if (known !== undefined) return known;
  const made = loadExpressionEngine().then(
    (engine) => new ExpressionCache((source) => engine.compileFilter(source, { limits })),
  );
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
