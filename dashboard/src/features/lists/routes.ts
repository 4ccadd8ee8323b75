import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { accountRoute } from "../../routes.ts";

const listsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/rules/lists",
  component: lazyPage(() => import("./lists-page.tsx"), "ListsPage"),
});

const listRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/rules/lists/$listId",
  validateSearch: readListSearch,
  component: lazyPage(() => import("./list-page.tsx"), "ListPage"),
});

export const listsRoutes = [listsRoute, listRoute] as const;
