import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { profileRoute } from "../../routes.ts";

const signInSettingsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./sign-in-settings-page.tsx"), "SignInSettingsPage"),
});

const membershipsRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/memberships",
  component: lazyRouteComponent(() => import("./memberships-page.tsx"), "MembershipsPage"),
});

export const profileRoutes = [signInSettingsRoute, membershipsRoute] as const;
