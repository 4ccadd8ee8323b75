import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { profileRoute } from "../../routes.ts";

const signInSettingsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/sign-in",
  component: lazyPage(() => import("./sign-in-settings-page.tsx"), "SignInSettingsPage"),
});

const membershipsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/memberships",
  component: lazyPage(() => import("./memberships-page.tsx"), "MembershipsPage"),
});

const detailsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/details",
  component: lazyPage(() => import("./details-page.tsx"), "UserDetailsPage"),
});

const sessionsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/sessions",
  component: lazyPage(() => import("./sessions-page.tsx"), "SessionsPage"),
});

export const profileRoutes = [signInSettingsRoute, membershipsRoute, detailsRoute, sessionsRoute] as const;
