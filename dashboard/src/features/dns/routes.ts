import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";
import { readDnsSearch } from "./search.ts";

const dnsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns",
  validateSearch: readDnsSearch,
  component: lazyPage(() => import("./dns-page.tsx"), "DnsPage"),
});

export const dnsRoutes = [dnsRoute] as const;
