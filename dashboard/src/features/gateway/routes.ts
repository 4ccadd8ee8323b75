import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "../../routes.ts";

const gatewayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/networks",
  component: lazyRouteComponent(() => import("./gateway-page.tsx"), "GatewayPage"),
});

export const gatewayRoutes = [gatewayRoute] as const;
