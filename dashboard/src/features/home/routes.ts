import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";
import { shellRoute } from "../../routes.ts";

export interface HomeSearch extends ListSearch {
  /** Only the zones of this account. */
  readonly account?: string | undefined;
}

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: (search: Readonly<Record<string, unknown>>): HomeSearch => {
    const account = textOf(search["account"]);
    return { ...readListSearch(search), ...(account !== undefined && { account }) };
  },
  component: lazyRouteComponent(() => import("./home-page.tsx"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
