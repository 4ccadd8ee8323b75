import { filterLimits } from "../../core/expression/limits.ts";
import type { CompiledExpression, CompiledValueExpression } from "../../core/expression/compile.ts";
import type { ListTest, RequestContext } from "../../core/expression/context.ts";
import { findManagedRuleset } from "../../core/rulesets/managed-rulesets.ts";
import { ExpressionCache } from "../../core/rulesets/expression-cache.ts";
import { assembleProgram, type Program } from "../../core/rulesets/program.ts";
import { namedRulesetIds, type Ruleset } from "../../core/rulesets/ruleset.ts";
import { expressionsOf } from "../../core/transforms/rewrite.ts";
import type { RequestSource } from "../../core/firewall-products/access-rule.ts";
import { createPause } from "../../operation/pause.ts";
import { fromJson } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import { readAccessRules } from "../access-rules/access-rules.ts";
import { readManagedTransforms } from "../managed-transforms/managed-transforms.ts";
import { readUserAgentRules } from "../user-agent-rules/user-agent-rules.ts";
import { readZoneLockdowns } from "../zone-lockdowns/zone-lockdowns.ts";
import { readNamedLists } from "../lists/lists.ts";
import { ofAccount, ofZone, type RulesetContext } from "./levels.ts";
import { selectEntryPoints, selectRulesets, type StoredRuleset } from "./store.ts";

/** Compiled expressions in the cache: the managed rulesets and those of many zones. */
const compiledMax = 4_000;

// An engine belongs to the process, and what it compiled with it.
const caches = new WeakMap<RulesetContext["loadExpressionEngine"], Promise<Caches>>();

interface Caches {
  readonly filters: ExpressionCache<CompiledExpression>;
  readonly values: ExpressionCache<CompiledValueExpression>;
}

/** Whether a request matches a stored expression. */
export type Meets = (expression: string, request: RequestContext) => boolean;

/** Which requests a program judges. */
interface Judged {
  readonly zone: ZoneRow;
  /** Where they come from. */
  readonly sources: readonly RequestSource[];
  /** Replaces the entry point of its phase. */
  readonly proposed?: Ruleset | undefined;
}

/**
 * Calls `use` with what judges and changes requests to a zone: rulesets of its account, its own, its products and
 * transforms. `use` must be synchronous, as unused expressions are freed afterwards.
 */
export async function withProgramOf<T>(
  context: RulesetContext,
  { zone, sources, proposed }: Judged,
  use: (program: Program, meets: Meets, lists: ReadonlyMap<string, ListTest>) => T,
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
  const { filters, values } = await cachesOf(context);
  const rules = [...entryPoints, ...custom].flatMap((ruleset) =>
    ruleset.rules.filter(({ enabled }) => enabled),
  );
  await compileEach(
    filters,
    rules.map(({ expression }) => expression),
  );
  await compileEach(
    values,
    rules.flatMap((rule) => (rule.action === "rewrite" ? expressionsOf(rule.action_parameters) : [])),
  );
  const library = {
    findRuleset: (id: string, version: string) =>
      findManagedRuleset(id, vendor, version) ?? custom.find((ruleset) => ruleset.id === id),
    compile: (expression: string) => filters.get(expression),
    compileValue: (expression: string) => values.get(expression),
    redirectFor: (name: string, url: string) => lists.get(name)?.redirectFor(url),
  };
  const products = [
    ...(await readAccessRules(db.read, zone, sources)),
    await readZoneLockdowns(db.read, zone),
    await readUserAgentRules(db.read, zone),
  ];
  const program = assembleProgram(entryPoints, library, {
    products: products.filter((product) => product !== undefined),
    transforms: await readManagedTransforms(db.read, zone),
  });
  try {
    const meets: Meets = (expression, request) => filters.get(expression).evaluate(request);
    return use(program, meets, new Map([...lists].map(([name, { has }]) => [name, has])));
  } finally {
    filters.trim(compiledMax);
    values.trim(compiledMax);
  }
}

async function compileEach(
  cache: ExpressionCache<{ readonly free: () => void }>,
  expressions: readonly string[],
): Promise<void> {
  const pause = createPause();
  for (const expression of expressions) {
    if (cache.has(expression)) continue;
    cache.get(expression);
    await pause();
  }
}

function cachesOf({ loadExpressionEngine }: RulesetContext): Promise<Caches> {
  const known = caches.get(loadExpressionEngine);
  if (known !== undefined) return known;
  const made = loadExpressionEngine().then((engine): Caches => ({
    filters: new ExpressionCache((source) => engine.compileFilter(source, { limits: filterLimits })),
    values: new ExpressionCache((source) => engine.compileValue(source)),
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
