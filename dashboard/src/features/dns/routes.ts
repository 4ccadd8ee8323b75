import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";

export interface DnsSearch extends ListSearch {
  /** One type or a comma list of them. */
  readonly type?: string | undefined;
  readonly proxied?: boolean | undefined;
}

const dnsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns",
  validateSearch: (search: Readonly<Record<string, unknown>>): DnsSearch => {
    const type = textOf(search["type"]);
    const { proxied } = search;
    return {
      ...readListSearch(search),
      ...(type !== undefined && { type }),
      ...(typeof proxied === "boolean" && { proxied }),
    };
  },
  component: lazyRouteComponent(() => import("./dns-page.tsx"), "DnsPage"),
});

export const dnsRoutes = [dnsRoute] as const;
