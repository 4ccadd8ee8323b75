import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "../../routes.ts";
import { readHomeSearch } from "./search.ts";

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: readHomeSearch,
  component: lazyRouteComponent(() => import("./home-page.tsx"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
