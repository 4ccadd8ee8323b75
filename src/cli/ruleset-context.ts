import { createExpressionEngine } from "../expression-engine.ts";
import { createContext } from "../open-store.ts";
import { createRegexEngine } from "../regex-engine.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import { managedRulesJudge } from "../resources/waf-migration/waf-migration.ts";
import type { Database } from "../storage/database.ts";

/** What operations on rulesets need, for a command on the host. */
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
