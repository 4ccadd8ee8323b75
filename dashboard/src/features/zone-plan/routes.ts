import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const zonePlanRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/plan",
  component: lazyPage(() => import("./zone-plan-page.tsx"), "ZonePlanPage"),
});

export const zonePlanRoutes = [zonePlanRoute] as const;
