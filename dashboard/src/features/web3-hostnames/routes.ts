import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";

const web3HostnamesRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/web3",
  component: lazyPage(() => import("./web3-hostnames-page.tsx"), "Web3HostnamesPage"),
});

const contentListRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/web3/$hostnameId",
  component: lazyPage(() => import("./content-list-page.tsx"), "ContentListPage"),
});

export const web3HostnamesRoutes = [web3HostnamesRoute, contentListRoute] as const;
