import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { shellRoute } from "../../routes.ts";

const gatewayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/networks",
  component: lazyPage(() => import("./gateway-page.tsx"), "GatewayPage"),
});

export const gatewayRoutes = [gatewayRoute] as const;
