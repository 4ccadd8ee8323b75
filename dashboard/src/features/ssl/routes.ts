import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const sslRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/ssl",
  component: lazyPage(() => import("./ssl-page.tsx"), "SslPage"),
});

export const sslRoutes = [sslRoute] as const;
