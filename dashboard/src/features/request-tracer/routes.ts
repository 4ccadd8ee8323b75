import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";
import { readTracerSearch } from "./search.ts";

export const requestTracerRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/trace",
  validateSearch: readTracerSearch,
  component: lazyPage(() => import("./tracer-page.tsx"), "TracerPage"),
});
