import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";

import { PageFailure } from "./components/page-failure.tsx";
import { PageLoading } from "./components/page-loading.tsx";
import { routeTree } from "./routes.ts";

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

type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
