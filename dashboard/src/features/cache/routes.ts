import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const purgeRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/cache",
  component: lazyPage(() => import("./purge-page.tsx"), "PurgePage"),
});

export const cacheRoutes = [purgeRoute] as const;
