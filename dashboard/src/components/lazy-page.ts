import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";

export class CodeNotLoadedError extends Error {
  constructor(cause: unknown) {
    super("Its code could not be loaded. Check the connection and try again.", { cause });
    this.name = "CodeNotLoadedError";
  }
}

/**
 * A page whose code is loaded when it is first opened: the component `name` of a module. Where it cannot be loaded, the
 * page alone says so: the router would load the whole application anew, which offline leaves nothing of it.
 */
export function lazyPage<Name extends string>(
  // Any type of component, as that of a page depends on the routes.
  load: () => Promise<Readonly<Record<Name, unknown>>>,
  name: Name,
): RouteComponent {
  const page = lazyRouteComponent(async () => {
    try {
      return (await load()) as Record<Name, RouteComponent>;
    } catch (cause) {
      throw new CodeNotLoadedError(cause);
    }
  }, name);
  return page as RouteComponent;
}
