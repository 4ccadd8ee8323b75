import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { profileRoute } from "../../routes.ts";

const twoFactorRoute = createRoute({
  getParentRoute: () => profileRoute,
  path: "/two-factor",
  component: lazyPage(() => import("./two-factor-page.tsx"), "TwoFactorPage"),
});

export const twoFactorRoutes = [twoFactorRoute] as const;
