import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";

import type { Session } from "../../src/resources/sessions/schema.ts";
import { isSignedOut, sessionQuery } from "./api/session.ts";
import { DashboardFailure } from "./components/page-failure.tsx";
import { PageNotFound } from "./components/page-not-found.tsx";
import { Shell } from "./components/shell.tsx";
import { ZoneFrame } from "./components/zone-frame.tsx";

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: DashboardFailure,
  notFoundComponent: PageNotFound,
});

/** The only page that is open to a user who has to set up a second factor first. */
const twoFactorPath = "/profile/two-factor";

/** Parent of every page that needs a session; without one it leads to the sign-in page and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    let session: Session;
    try {
      session = await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({
        to: "/sign-in",
        search: location.href === "/" ? {} : { next: location.href },
      });
    }
    if (session.needs_second_factor && location.pathname !== twoFactorPath)
      throw redirect({ to: twoFactorPath });
  },
});

/** Parent of the pages of one account. */
export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/accounts/$accountId",
});

/** Parent of the pages of one zone. */
export const zoneRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/zones/$zoneId",
  component: ZoneFrame,
});

/** Parent of the pages of the user itself. */
export const profileRoute = createRoute({ getParentRoute: () => shellRoute, path: "/profile" });
