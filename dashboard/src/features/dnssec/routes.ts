import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const dnssecRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns/dnssec",
  component: lazyPage(() => import("./dnssec-page.tsx"), "DnssecPage"),
});

export const dnssecRoutes = [dnssecRoute] as const;
