import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch } from "../../components/list-search.ts";
import { accountRoute } from "../../routes.ts";
import { readAuditLogSearch } from "./search.ts";

const membersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/members",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

const auditLogRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/audit-log",
  validateSearch: readAuditLogSearch,
  component: lazyRouteComponent(() => import("./audit-log-page.tsx"), "AuditLogPage"),
});

export const accountRoutes = [membersRoute, auditLogRoute] as const;
