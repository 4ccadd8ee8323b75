import type { RouteDescription } from "./route.ts";

/** A path that has operations. */
export interface KnownPath<R> {
  /** With parameters in braces: `/client/v4/zones/{zone_id}`. */
  readonly pattern: string;
  /** By method; HEAD has that of GET. */
  readonly operations: ReadonlyMap<string, R>;
}

export interface FoundPath<R> extends KnownPath<R> {
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the path of a request among those that have operations, the most literal one: whether it has the method is
 * for the caller to see. Takes what the request names (RFC 9112, section 3.2), with or without a query.
 */
export type Router<R> = (target: string) => FoundPath<R> | undefined;

interface Leaf<R> {
  readonly pattern: string;
  readonly operations: Map<string, R>;
  /** Names of parameters, by the index of their segment. */
  readonly parameters: ReadonlyMap<number, string>;
}

interface Level<R> {
  readonly named: Map<string, Level<R>>;
  parameter?: Level<R>;
  leaf?: Leaf<R>;
}

export interface RoutedApi<R> {
  readonly basePath: string;
  readonly routes: readonly R[];
}

/**
 * One tree for all methods: that of the server's library has one for each, takes a fifth of the CPU of a start to fill
 * them, and cannot tell a wrong method from a wrong path.
 */
export function createRouter<R extends RouteDescription>(apis: readonly RoutedApi<R>[]): Router<R> {
  const root: Level<R> = { named: new Map() };
  for (const { basePath, routes } of apis) {
    for (const route of routes) addRoute(root, fullPath(route, basePath), route);
  }
  return (target) => {
    const segments = segmentsOf(target);
    const leaf = findLeaf(root, segments, 0);
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [index, name] of leaf.parameters) params[name] = segments[index] ?? "";
    return { pattern: leaf.pattern, operations: leaf.operations, params };
  };
}

/** The path of a route with parameters in braces. */
export function fullPath({ isAtRoot, path }: RouteDescription, basePath: string): string {
  return isAtRoot ? path : basePath + path;
}

function addRoute<R extends RouteDescription>(root: Level<R>, pattern: string, route: R): void {
  const segments = pattern.split("/");
  let level = root;
  for (const segment of segments) level = descend(level, segment);
  level.leaf ??= { pattern, operations: new Map(), parameters: parametersOf(segments) };
  level.leaf.operations.set(route.method, route);
  if (route.method === "GET") level.leaf.operations.set("HEAD", route);
}

function descend<R>(level: Level<R>, segment: string): Level<R> {
  if (segment.startsWith("{")) return (level.parameter ??= { named: new Map() });
  const next = level.named.get(segment) ?? { named: new Map() };
  level.named.set(segment, next);
  return next;
}

function parametersOf(segments: readonly string[]): ReadonlyMap<number, string> {
  return new Map(
    segments.flatMap((segment, index) =>
      segment.startsWith("{") ? [[index, segment.slice(1, -1)] as const] : [],
    ),
  );
}

const origin = /^https?:\/\/[^/?#]*/i;

/** A slash at the end does not count. */
function segmentsOf(target: string): string[] {
  const path = target.replace(origin, "");
  const end = path.search(/[?#]/);
  const segments = (end < 0 ? path : path.slice(0, end)).split("/");
  if (segments.at(-1) === "") segments.pop();
  return segments.map(decode);
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function findLeaf<R>(
  level: Level<R> | undefined,
  segments: readonly string[],
  at: number,
): Leaf<R> | undefined {
  if (level === undefined) return undefined;
  const segment = segments[at];
  if (segment === undefined) return level.leaf;
  return findLeaf(level.named.get(segment), segments, at + 1) ?? findLeaf(level.parameter, segments, at + 1);
}
