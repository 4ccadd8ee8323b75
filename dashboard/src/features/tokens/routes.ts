import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { accountRoute, profileRoute } from "../../routes.ts";
import { readNewTokenSearch, readTokensSearch } from "./search.ts";

const listPage = {
  path: "/tokens",
  validateSearch: readTokensSearch,
  component: lazyPage(() => import("./tokens-page.tsx"), "TokensPage"),
} as const;

const newPage = {
  path: "/tokens/new",
  validateSearch: readNewTokenSearch,
  component: lazyPage(() => import("./new-token-page.tsx"), "NewTokenPage"),
} as const;

const permissionsPage = {
  path: "/permission-groups",
  component: lazyPage(() => import("./permission-groups-page.tsx"), "PermissionGroupsPage"),
} as const;

const tokenPage = {
  path: "/tokens/$tokenId",
  component: lazyPage(() => import("./token-page.tsx"), "TokenPage"),
} as const;

export const tokenRoutes = [
  createRoute({ getParentRoute: () => profileRoute, ...listPage }),
  createRoute({ getParentRoute: () => profileRoute, ...newPage }),
  createRoute({ getParentRoute: () => profileRoute, ...permissionsPage }),
  createRoute({ getParentRoute: () => profileRoute, ...tokenPage }),
] as const;

export const accountTokenRoutes = [
  createRoute({ getParentRoute: () => accountRoute, ...listPage }),
  createRoute({ getParentRoute: () => accountRoute, ...newPage }),
  createRoute({ getParentRoute: () => accountRoute, ...permissionsPage }),
  createRoute({ getParentRoute: () => accountRoute, ...tokenPage }),
] as const;
