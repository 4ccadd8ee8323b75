import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { textOf } from "../../components/list-search.ts";
import { rootRoute } from "../../routes.ts";

interface SignInSearch {
  /** Path of this origin to go on at. */
  readonly next?: string;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Readonly<Record<string, unknown>>): SignInSearch => {
    const next = textOf(search["next"]);
    return {
      // A link to this page must not lead elsewhere.
      ...(next !== undefined && /^\/(?![/\\])/.test(next) && { next }),
    };
  },
  component: lazyPage(() => import("./sign-in-page.tsx"), "SignInPage"),
});

const firstSignInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/first-sign-in",
  component: lazyPage(() => import("./first-sign-in-page.tsx"), "FirstSignInPage"),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invite",
  component: lazyPage(() => import("./join-page.tsx"), "JoinPage"),
});

/** Where the provider of single sign-on sends browsers back to. */
const singleSignOnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/single-sign-on",
  component: lazyPage(() => import("./single-sign-on-page.tsx"), "SingleSignOnPage"),
});

export const sessionRoutes = [signInRoute, firstSignInRoute, joinRoute, singleSignOnRoute] as const;
