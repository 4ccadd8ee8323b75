import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";
import { accountRoute } from "../../routes.ts";

const membersRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/members",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

export interface AuditLogSearch extends ListSearch {
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly zone?: string | undefined;
  /** Dates, `2026-01-31`; both are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const auditLogRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/audit-log",
  validateSearch: (search: Readonly<Record<string, unknown>>): AuditLogSearch => ({
    ...readListSearch(search),
    ...Object.fromEntries(
      (["action", "actor", "zone", "since", "until"] as const).flatMap((name) => {
        const text = textOf(search[name]);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  }),
  component: lazyRouteComponent(() => import("./audit-log-page.tsx"), "AuditLogPage"),
});

export const accountRoutes = [membersRoute, auditLogRoute] as const;
