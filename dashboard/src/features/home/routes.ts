import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { shellRoute } from "../../routes.ts";
import { readHomeSearch } from "./search.ts";

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: readHomeSearch,
  component: lazyPage(() => import("./home-page.tsx"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
