import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { textOf } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";
import { readManagedRulesSearch } from "./search.ts";

interface NewRuleSearch {
  /** What the rule does; executes a managed ruleset unless it says so. */
  readonly action?: "execute" | "skip" | undefined;
  readonly ruleset?: string | undefined;
  /** What an event proposes for an exception: for which requests, its name, and the rule of the ruleset. */
  readonly expression?: string | undefined;
  readonly description?: string | undefined;
  readonly rule?: string | undefined;
}

const managedRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules",
  validateSearch: readManagedRulesSearch,
  component: lazyPage(() => import("./managed-rules-page.tsx"), "ManagedRulesPage"),
});

const newRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/new",
  validateSearch: (search: Readonly<Record<string, unknown>>): NewRuleSearch => {
    const { action } = search;
    return {
      ...((action === "execute" || action === "skip") && { action }),
      ...Object.fromEntries(
        (["ruleset", "expression", "description", "rule"] as const).flatMap((name) => {
          const value = textOf(search[name]);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    };
  },
  component: lazyPage(() => import("./rule-page.tsx"), "NewRulePage"),
});

const editRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/rules/$ruleId",
  component: lazyPage(() => import("./rule-page.tsx"), "EditRulePage"),
});

export const managedRulesRoutes = [managedRulesRoute, newRuleRoute, editRuleRoute] as const;
