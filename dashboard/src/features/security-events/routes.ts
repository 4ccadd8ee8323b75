import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { zoneRoute } from "../../routes.ts";
import { readEventsSearch } from "./search.ts";

const eventsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events",
  validateSearch: readEventsSearch,
  component: lazyPage(() => import("./events-page.tsx"), "EventsPage"),
});

const replayRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events/replay",
  component: lazyPage(() => import("./replay-page.tsx"), "ReplayPage"),
});

export const securityEventRoutes = [eventsRoute, replayRoute] as const;
