import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { accountRoute, profileRoute } from "../../routes.ts";
import { readAuditLogSearch } from "./search.ts";

const membersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/members",
  validateSearch: readListSearch,
  component: lazyPage(() => import("./members-page.tsx"), "MembersPage"),
});

const auditLogRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/audit-log",
  validateSearch: readAuditLogSearch,
  component: lazyPage(() => import("./audit-log-page.tsx"), "AuditLogPage"),
});

const detailsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/details",
  component: lazyPage(() => import("./details-page.tsx"), "AccountDetailsPage"),
});

const resourceGroupsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/resource-groups",
  component: lazyPage(() => import("./resource-groups-page.tsx"), "ResourceGroupsPage"),
});

const userAuditLogRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/audit-log",
  validateSearch: readAuditLogSearch,
  component: lazyPage(() => import("./audit-log-page.tsx"), "UserAuditLogPage"),
});

export const accountRoutes = [membersRoute, auditLogRoute, detailsRoute, resourceGroupsRoute] as const;
export const accountProfileRoutes = [userAuditLogRoute] as const;
