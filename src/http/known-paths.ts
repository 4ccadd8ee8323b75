import type { Route } from "./route.ts";

/** A path that operations answer, whatever the method. */
export interface KnownPath {
  /** As the documents write it, parameters in braces. */
  readonly pattern: string;
  /** What its operations answer to, HEAD where they answer to GET. */
  readonly methods: ReadonlySet<string>;
}

/** The paths of the routes, each once. */
export function knownPaths(routes: readonly Route[], basePath: string): readonly KnownPath[] {
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

/** The path of a route as the documents write it. */
export function fullPath({ isAtRoot, path }: Route, basePath: string): string {
  return isAtRoot ? path : basePath + path;
}

/** The known paths that an address matches, the most literal one first. */
export type PathFinder = (address: string) => readonly KnownPath[];

interface Level {
  readonly named: Map<string, Level>;
  parameter?: Level;
  known?: KnownPath;
}

/**
 * Tells a wrong method from a wrong path: a router that knew each wrong method of each path would have three times the
 * routes to learn at the start.
 */
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
