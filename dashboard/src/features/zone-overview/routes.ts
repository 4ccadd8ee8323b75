import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { zoneRoute } from "../../routes.ts";

const zoneOverviewRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./zone-overview-page.tsx"), "ZoneOverviewPage"),
});

export const zoneOverviewRoutes = [zoneOverviewRoute] as const;
