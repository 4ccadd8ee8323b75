import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { profileRoute } from "../../routes.ts";
import { readTokensSearch } from "./search.ts";
import { templateNames, type TemplateName } from "./token-templates.ts";

const tokensRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/tokens",
  validateSearch: readTokensSearch,
  component: lazyPage(() => import("./tokens-page.tsx"), "TokensPage"),
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
  component: lazyPage(() => import("./new-token-page.tsx"), "NewTokenPage"),
});

const tokenRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/tokens/$tokenId",
  component: lazyPage(() => import("./token-page.tsx"), "TokenPage"),
});

export const tokenRoutes = [tokensRoute, newTokenRoute, tokenRoute] as const;
