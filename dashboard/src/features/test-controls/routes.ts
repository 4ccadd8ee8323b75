import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { shellRoute } from "../../routes.ts";

const testControlsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tests",
  component: lazyPage(() => import("./test-controls-page.tsx"), "TestControlsPage"),
});

export const testControlsRoutes = [testControlsRoute] as const;
