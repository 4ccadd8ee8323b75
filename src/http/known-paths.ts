import type { RouteDescription } from "./route.ts";

/** A path that has operations. */
export interface KnownPath {
  /** With parameters in braces: `/zones/{zone_id}`. */
  readonly pattern: string;
  /** The methods of its operations, and HEAD if there is GET. */
  readonly methods: ReadonlySet<string>;
}

/** The distinct paths of the routes. */
export function knownPaths(routes: readonly RouteDescription[], basePath: string): readonly KnownPath[] {
  const methodsOf = new Map<string, Set<string>>();
  for (const route of routes) {
    const pattern = fullPath(route, basePath);
    const methods = methodsOf.get(pattern) ?? new Set();
    methods.add(route.method);
    if (route.method === "GET") methods.add("HEAD");
    methodsOf.set(pattern, methods);
  }
  return Array.from(methodsOf, ([pattern, methods]) => ({ pattern, methods }));
}

/** The path of a route with parameters in braces. */
export function fullPath({ isAtRoot, path }: RouteDescription, basePath: string): string {
  return isAtRoot ? path : basePath + path;
}

/** Returns the known paths that match a path of a URL, the most literal one first. */
export type PathFinder = (address: string) => readonly KnownPath[];

interface Level {
  readonly named: Map<string, Level>;
  parameter?: Level;
  known?: KnownPath;
}

/** Distinguishes a wrong method from a wrong path without a route for every wrong method. */
export function createPathFinder(paths: readonly KnownPath[]): PathFinder {
  const root: Level = { named: new Map() };
  for (const known of paths) {
    let level = root;
    for (const segment of known.pattern.split("/")) level = descend(level, segment);
    level.known = known;
  }
  return (address) => {
    const segments = address.split("/");
    if (segments.at(-1) === "") segments.pop();
    return matches(root, segments, 0);
  };
}

function descend(level: Level, segment: string): Level {
  if (segment.startsWith("{")) return (level.parameter ??= { named: new Map() });
  const next = level.named.get(segment) ?? { named: new Map() };
  level.named.set(segment, next);
  return next;
}

function matches(level: Level | undefined, segments: readonly string[], at: number): KnownPath[] {
  if (level === undefined) return [];
  const segment = segments[at];
  if (segment === undefined) return level.known === undefined ? [] : [level.known];
  return [
    ...matches(level.named.get(segment), segments, at + 1),
    ...matches(level.parameter, segments, at + 1),
  ];
}
