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

export const profileRoutes = [signInSettingsRoute, membershipsRoute] as const;
