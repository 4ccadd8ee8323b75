import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { accountRoute, profileRoute, zoneRoute } from "../../routes.ts";

const load = () => import("./access-pages.tsx");

const zoneAccessRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/access-rules",
  validateSearch: readListSearch,
  component: lazyPage(load, "ZoneAccessRulesPage"),
});

const userAgentRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/user-agents",
  validateSearch: readListSearch,
  component: lazyPage(load, "UserAgentRulesPage"),
});

const zoneLockdownsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/lockdowns",
  validateSearch: readListSearch,
  component: lazyPage(load, "ZoneLockdownsPage"),
});

const accountAccessRulesRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/access-rules",
  validateSearch: readListSearch,
  component: lazyPage(load, "AccountAccessRulesPage"),
});

const userAccessRulesRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/access-rules",
  validateSearch: readListSearch,
  component: lazyPage(load, "UserAccessRulesPage"),
});

export const accessRoutes = {
  zone: [zoneAccessRulesRoute, userAgentRulesRoute, zoneLockdownsRoute],
  account: [accountAccessRulesRoute],
  profile: [userAccessRulesRoute],
} as const;
