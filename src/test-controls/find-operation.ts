import { createPathFinder, fullPath, knownPaths } from "../http/known-paths.ts";
import type { RouteDescription } from "../http/route.ts";
import type { Api } from "../http/server-options.ts";

/** Finds the operation of a request by its method and path. */
export type FindOperation = (method: string, path: string) => RouteDescription | undefined;

export function operationFinder({ routes, basePath }: Pick<Api, "routes" | "basePath">): FindOperation {
  const findPaths = createPathFinder(knownPaths(routes, basePath));
  const byPattern = new Map(routes.map((route) => [`${route.method} ${fullPath(route, basePath)}`, route]));
  return (method, path) => {
    const [known] = findPaths(path);
    return known && byPattern.get(`${method === "HEAD" ? "GET" : method} ${known.pattern}`);
  };
}
