import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";

const load = () => import("./firewall-rules-pages.tsx");

const firewallRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/firewall-rules",
  validateSearch: readListSearch,
  component: lazyPage(load, "FirewallRulesPage"),
});

const filtersRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/filters",
  validateSearch: readListSearch,
  component: lazyPage(load, "FiltersPage"),
});

export const firewallRulesRoutes = [firewallRulesRoute, filtersRoute] as const;
