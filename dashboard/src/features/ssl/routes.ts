import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { zoneRoute } from "../../routes.ts";

const sslRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/ssl",
  component: lazyRouteComponent(() => import("./ssl-page.tsx"), "SslPage"),
});

export const sslRoutes = [sslRoute] as const;
