import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const dnsBatchRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns/batch",
  component: lazyPage(() => import("./dns-batch-page.tsx"), "DnsBatchPage"),
});

export const dnsBatchRoutes = [dnsBatchRoute] as const;
