import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { readListSearch } from "../../components/list-search.ts";
import { zoneRoute } from "../../routes.ts";

const zoneSettingsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/settings",
  validateSearch: readListSearch,
  component: lazyPage(() => import("./zone-settings-page.tsx"), "ZoneSettingsPage"),
});

export const zoneSettingsRoutes = [zoneSettingsRoute] as const;
