import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { accountRoute, zoneRoute } from "../../routes.ts";

const load = () => import("./account-pages.tsx");

const peersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/zone-transfers/peers",
  validateSearch: readListSearch,
  component: lazyPage(load, "TransferPeersPage"),
});

const tsigsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/zone-transfers/keys",
  validateSearch: readListSearch,
  component: lazyPage(load, "TsigsPage"),
});

const aclsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/zone-transfers/acls",
  validateSearch: readListSearch,
  component: lazyPage(load, "TransferAclsPage"),
});

const zoneTransfersRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns/transfers",
  component: lazyPage(() => import("./zone-transfers-page.tsx"), "ZoneTransfersPage"),
});

export const accountTransferRoutes = [peersRoute, tsigsRoute, aclsRoute] as const;
export const zoneTransferRoutes = [zoneTransfersRoute] as const;
