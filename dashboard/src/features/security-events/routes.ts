import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { textOf } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";
import { spans, type Span } from "./spans.ts";

/** Which events are shown; undefined for what does not matter. */
export interface EventsSearch {
  readonly span?: Span | undefined;
  readonly action?: string | undefined;
  readonly source?: string | undefined;
  readonly ip?: string | undefined;
  readonly host?: string | undefined;
  readonly rule?: string | undefined;
  /** All events of one request. */
  readonly ray?: string | undefined;
}

const texts = ["action", "source", "ip", "host", "rule", "ray"] as const;

const eventsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events",
  validateSearch: (search: Readonly<Record<string, unknown>>): EventsSearch => {
    const span = spans.find(({ value }) => value === search["span"])?.value;
    return {
      ...(span !== undefined && { span }),
      ...Object.fromEntries(
        texts.flatMap((name) => {
          const value = textOf(search[name]);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    };
  },
  component: lazyRouteComponent(() => import("./events-page.tsx"), "EventsPage"),
});

const replayRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/security/events/replay",
  component: lazyRouteComponent(() => import("./replay-page.tsx"), "ReplayPage"),
});

export const securityEventRoutes = [eventsRoute, replayRoute] as const;
