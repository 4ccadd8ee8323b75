import { readConfig } from "../config.ts";
import { createExpressionEngine } from "../expression-engine.ts";
import { createContext, openExistingStore } from "../open-store.ts";
import { createRegexEngine } from "../regex-engine.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import { managedRulesJudge } from "../resources/waf-migration/waf-migration.ts";
import type { Config } from "../settings.ts";
import type { Database } from "../storage/database.ts";

/** What rulesets are changed and judged with, beside a server. */
export function createRulesetContext(db: Database, vendor: string): RulesetContext {
  const context = createContext(db);
  const engine = createExpressionEngine(createRegexEngine());
  return {
    ...context,
    vendor,
    loadExpressionEngine: async () => engine,
    judgeManagedRules: managedRulesJudge(context),
  };
}

/** Runs `work` on the store that the settings name; a server may run on it meanwhile. */
export async function withStore(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = await readConfig(args, env);
  const db = await openExistingStore(config);
  try {
    await work(db, config);
  } finally {
    await db.close();
  }
}
