import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { zoneRoute } from "../../routes.ts";
import { readEventsSearch } from "./search.ts";

const eventsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events",
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import("./events-page.tsx"), "EventsPage"),
});

const replayRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events/replay",
  component: lazyRouteComponent(() => import("./replay-page.tsx"), "ReplayPage"),
});

export const securityEventRoutes = [eventsRoute, replayRoute] as const;
