import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { accountRoute } from "../../routes.ts";
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

export const accountRoutes = [membersRoute, auditLogRoute] as const;
