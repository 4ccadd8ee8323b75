import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { zoneRoute } from "../../routes.ts";
import { readDnsSearch } from "./search.ts";

const dnsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns",
  validateSearch: readDnsSearch,
  component: lazyRouteComponent(() => import("./dns-page.tsx"), "DnsPage"),
});

export const dnsRoutes = [dnsRoute] as const;
