import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readListSearch, type ListSearch } from "../../components/list-search.ts";
import { profileRoute } from "../../routes.ts";
import { templateNames, type TemplateName } from "./token-templates.ts";

export interface TokensSearch extends ListSearch {
  /** Whether expired tokens are listed too. */
  readonly expired?: boolean | undefined;
}

const tokensRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/tokens",
  validateSearch: (search: Readonly<Record<string, unknown>>): TokensSearch => ({
    ...readListSearch(search),
    ...(search["expired"] === true && { expired: true }),
  }),
  component: lazyRouteComponent(() => import("./tokens-page.tsx"), "TokensPage"),
});

const newTokenRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/tokens/new",
  validateSearch: (
    search: Readonly<Record<string, unknown>>,
  ): { readonly template?: TemplateName | undefined } => {
    const template = templateNames.find((name) => name === search["template"]);
    return template === undefined ? {} : { template };
  },
  component: lazyRouteComponent(() => import("./new-token-page.tsx"), "NewTokenPage"),
});

const tokenRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/tokens/$tokenId",
  component: lazyRouteComponent(() => import("./token-page.tsx"), "TokenPage"),
});

export const tokenRoutes = [tokensRoute, newTokenRoute, tokenRoute] as const;
