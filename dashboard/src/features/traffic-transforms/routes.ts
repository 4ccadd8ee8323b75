import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const trafficTransformsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/url-and-headers",
  component: lazyPage(() => import("./traffic-transforms-page.tsx"), "TrafficTransformsPage"),
});

export const trafficTransformsRoutes = [trafficTransformsRoute] as const;
