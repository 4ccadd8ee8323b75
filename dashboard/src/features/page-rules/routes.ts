import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const pageRulesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/page-rules",
  component: lazyPage(() => import("./page-rules-page.tsx"), "PageRulesPage"),
});

export const pageRulesRoutes = [pageRulesRoute] as const;
