import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { accountRoute, zoneRoute } from "../../routes.ts";

const zoneEdgeRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/edge",
  component: lazyPage(() => import("./zone-edge-page.tsx"), "ZoneEdgePage"),
});

const edgesRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/edges",
  component: lazyPage(() => import("./edges-page.tsx"), "EdgesPage"),
});

export const zoneEdgeRoutes = [zoneEdgeRoute] as const;
export const accountEdgeRoutes = [edgesRoute] as const;
