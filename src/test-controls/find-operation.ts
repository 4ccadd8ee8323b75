import type { RouteDescription } from "../api/route.ts";
import { createRouter, type RoutedApi } from "../api/router.ts";

export type FindOperation = (method: string, path: string) => RouteDescription | undefined;

export function operationFinder(api: RoutedApi<RouteDescription>): FindOperation {
  const route = createRouter([api]);
  return (method, path) => route(path)?.operations.get(method);
}
