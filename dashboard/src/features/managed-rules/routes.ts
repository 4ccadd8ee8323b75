import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";
import { readManagedRulesSearch, readNewRuleSearch } from "./search.ts";

const managedRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules",
  validateSearch: readManagedRulesSearch,
  component: lazyPage(() => import("./managed-rules-page.tsx"), "ManagedRulesPage"),
});

const newRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/new",
  validateSearch: readNewRuleSearch,
  component: lazyPage(() => import("./rule-page.tsx"), "NewRulePage"),
});

const editRuleRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/waf/managed-rules/rules/$ruleId",
  component: lazyPage(() => import("./rule-page.tsx"), "EditRulePage"),
});

export const managedRulesRoutes = [managedRulesRoute, newRuleRoute, editRuleRoute] as const;
