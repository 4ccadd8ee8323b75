import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";

export interface ManagedRulesSearch extends ListSearch {
  /** Which version is shown while the zone has both. */
  readonly version?: "new" | "previous" | undefined;
  /** Of the previous version: a package, and a group of it. */
  readonly package?: string | undefined;
  readonly group?: string | undefined;
}

interface NewRuleSearch {
  /** What the rule does; executes a managed ruleset unless it says so. */
  readonly action?: "execute" | "skip" | undefined;
  readonly ruleset?: string | undefined;
}

const managedRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules",
  validateSearch: (search: Readonly<Record<string, unknown>>): ManagedRulesSearch => {
    const { version } = search;
    const packageId = textOf(search["package"]);
    const group = textOf(search["group"]);
    return {
      ...readListSearch(search),
      ...((version === "new" || version === "previous") && { version }),
      ...(packageId !== undefined && { package: packageId }),
      ...(group !== undefined && { group }),
    };
  },
  component: lazyRouteComponent(() => import("./managed-rules-page.tsx"), "ManagedRulesPage"),
});

const newRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/new",
  validateSearch: (search: Readonly<Record<string, unknown>>): NewRuleSearch => {
    const { action } = search;
    const ruleset = textOf(search["ruleset"]);
    return {
      ...((action === "execute" || action === "skip") && { action }),
      ...(ruleset !== undefined && { ruleset }),
    };
  },
  component: lazyRouteComponent(() => import("./rule-page.tsx"), "NewRulePage"),
});

const editRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/rules/$ruleId",
  component: lazyRouteComponent(() => import("./rule-page.tsx"), "EditRulePage"),
});

export const managedRulesRoutes = [managedRulesRoute, newRuleRoute, editRuleRoute] as const;
