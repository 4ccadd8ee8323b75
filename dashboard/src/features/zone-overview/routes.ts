import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const zoneOverviewRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/",
  component: lazyPage(() => import("./zone-overview-page.tsx"), "ZoneOverviewPage"),
});

export const zoneOverviewRoutes = [zoneOverviewRoute] as const;
