import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";

import { PageFailure } from "./components/page-failure.tsx";
import { PageLoading } from "./components/page-loading.tsx";
import { accessRoutes } from "./features/access/routes.ts";
import { accountProfileRoutes, accountRoutes } from "./features/account/routes.ts";
import { cacheRoutes } from "./features/cache/routes.ts";
import { dnsBatchRoutes } from "./features/dns-batch/routes.ts";
import { accountDnsSettingsRoutes, zoneDnsSettingsRoutes } from "./features/dns-settings/routes.ts";
import { dnsRoutes } from "./features/dns/routes.ts";
import { dnssecRoutes } from "./features/dnssec/routes.ts";
import { accountEdgeRoutes, zoneEdgeRoutes } from "./features/edge/routes.ts";
import { firewallRulesRoutes } from "./features/firewall-rules/routes.ts";
import { gatewayRoutes } from "./features/gateway/routes.ts";
import { homeRoutes } from "./features/home/routes.ts";
import { pageRulesRoutes } from "./features/page-rules/routes.ts";
import { profileRoutes } from "./features/profile/routes.ts";
import { listsRoutes } from "./features/lists/routes.ts";
import { managedRulesRoutes } from "./features/managed-rules/routes.ts";
import { requestTracerRoute } from "./features/request-tracer/routes.ts";
import { accountRulesRoutes, zoneRulesRoutes } from "./features/rules/routes.ts";
import { securityEventRoutes } from "./features/security-events/routes.ts";
import { sessionRoutes } from "./features/session/routes.ts";
import { sslRoutes } from "./features/ssl/routes.ts";
import { testControlsRoutes } from "./features/test-controls/routes.ts";
import { accountTokenRoutes, tokenRoutes } from "./features/tokens/routes.ts";
import { trafficTransformsRoutes } from "./features/traffic-transforms/routes.ts";
import { twoFactorRoutes } from "./features/two-factor/routes.ts";
import { web3HostnamesRoutes } from "./features/web3-hostnames/routes.ts";
import { zoneOverviewRoutes } from "./features/zone-overview/routes.ts";
import { zonePlanRoutes } from "./features/zone-plan/routes.ts";
import { accountTransferRoutes, zoneTransferRoutes } from "./features/zone-transfers/routes.ts";
import { zoneSettingsRoutes } from "./features/zone-settings/routes.ts";
import { accountRoute, profileRoute, rootRoute, shellRoute, zoneRoute } from "./routes.ts";

const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...gatewayRoutes,
    ...testControlsRoutes,
    accountRoute.addChildren([
      ...accountRoutes,
      ...accountTokenRoutes,
      ...accountRulesRoutes,
      ...accountDnsSettingsRoutes,
      ...accountTransferRoutes,
      ...accountEdgeRoutes,
      ...listsRoutes,
      ...accessRoutes.account,
    ]),
    profileRoute.addChildren([
      ...tokenRoutes,
      ...profileRoutes,
      ...twoFactorRoutes,
      ...accountProfileRoutes,
      ...accessRoutes.profile,
    ]),
    zoneRoute.addChildren([
      ...zoneOverviewRoutes,
      ...dnsRoutes,
      ...dnssecRoutes,
      ...zoneDnsSettingsRoutes,
      ...zoneTransferRoutes,
      ...zoneEdgeRoutes,
      ...sslRoutes,
      ...managedRulesRoutes,
      ...zoneRulesRoutes,
      ...firewallRulesRoutes,
      requestTracerRoute,
      ...securityEventRoutes,
      ...dnsBatchRoutes,
      ...accessRoutes.zone,
      ...cacheRoutes,
      ...trafficTransformsRoutes,
      ...zonePlanRoutes,
      ...pageRulesRoutes,
      ...web3HostnamesRoutes,
      ...zoneSettingsRoutes,
    ]),
  ]),
]);

// oxlint-disable-next-line typescript/explicit-function-return-type -- the routes are in the inferred type
export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPendingComponent: PageLoading,
    // The frame stays, with whatever else is open in it.
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
    // A page of another zone begins anew: nothing that was opened, chosen or shown for the one before stays.
    defaultRemountDeps: ({ params }) => params,
  });
  router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
    if (fromLocation !== undefined && pathChanged) focusNewPage();
  });
  return router;
}

/** Keys go on from the new page, and its title is read out, where what had the focus went with the page before. */
function focusNewPage(): void {
  if (document.activeElement !== document.body) return;
  const page = document.querySelector<HTMLElement>("#page");
  const title = page?.querySelector<HTMLElement>("h1[tabindex]");
  (title ?? page)?.focus({ preventScroll: true });
}

/** Loads the code of the page that the address names while the session is still being asked for. */
export function preloadPage(router: AppRouter): void {
  const routesById: Readonly<Record<string, { readonly options: { readonly component?: unknown } }>> =
    router.routesById;
  for (const { routeId } of router.matchRoutes(router.latestLocation) as readonly { routeId: string }[]) {
    const component: unknown = routesById[routeId]?.options.component;
    // Where it cannot be loaded, the page says so itself.
    if (isPreloadable(component)) void component.preload().catch(() => undefined);
  }
}

function isPreloadable(component: unknown): component is { readonly preload: () => Promise<unknown> } {
  return typeof component === "function" && "preload" in component && typeof component.preload === "function";
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
