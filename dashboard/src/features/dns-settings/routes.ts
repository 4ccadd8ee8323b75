import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { accountRoute, zoneRoute } from "../../routes.ts";

const zoneDnsSettingsRoute = createRoute({
  getParentRoute: () => zoneRoute,
  path: "/dns/settings",
  component: lazyPage(() => import("./zone-dns-settings-page.tsx"), "ZoneDnsSettingsPage"),
});

const accountDnsSettingsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/dns-settings",
  component: lazyPage(() => import("./account-dns-settings-page.tsx"), "AccountDnsSettingsPage"),
});

export const zoneDnsSettingsRoutes = [zoneDnsSettingsRoute] as const;
export const accountDnsSettingsRoutes = [accountDnsSettingsRoute] as const;
