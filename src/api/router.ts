import type { RouteDescription } from "./route.ts";

interface KnownPath<A extends RoutedApi> {
  readonly api: A;
  /** With parameters in braces: `/client/v4/zones/{zone_id}`. */
  readonly pattern: string;
  /** By method; HEAD has that of GET. */
  readonly operations: ReadonlyMap<string, A["routes"][number]>;
}

interface FoundPath<A extends RoutedApi> extends KnownPath<A> {
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the path of a request among those that have operations, the most literal one: whether it has the method is
 * for the caller to see. Takes the segments of the path (`readTarget`).
 */
export type Router<A extends RoutedApi> = (segments: readonly string[]) => FoundPath<A> | undefined;

interface Leaf<A extends RoutedApi> extends KnownPath<A> {
  readonly operations: Map<string, A["routes"][number]>;
  /** Names of parameters, by the index of their segment. */
  readonly parameters: readonly (readonly [index: number, name: string])[];
}

interface Level<A extends RoutedApi> {
  readonly named: Map<string, Level<A>>;
  parameter?: Level<A>;
  leaf?: Leaf<A>;
}

export interface RoutedApi {
  readonly basePath: string;
  readonly routes: readonly Pick<RouteDescription, "method" | "path" | "isAtRoot">[];
}

/** One tree for all methods, so that a wrong method is told from a wrong path. */
export function createRouter<A extends RoutedApi>(apis: readonly A[]): Router<A> {
  const root: Level<A> = { named: new Map() };
  for (const api of apis) for (const route of api.routes) addRoute(root, api, route);
  return (segments) => {
    const leaf = findLeaf(root, segments, 0);
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [index, name] of leaf.parameters) params[name] = segments[index] ?? "";
    return { api: leaf.api, pattern: leaf.pattern, operations: leaf.operations, params };
  };
}

function addRoute<A extends RoutedApi>(root: Level<A>, api: A, route: A["routes"][number]): void {
  const pattern = route.isAtRoot ? route.path : api.basePath + route.path;
  const segments = pattern.split("/");
  let level = root;
  for (const segment of segments) level = descend(level, segment);
  level.leaf ??= { api, pattern, operations: new Map(), parameters: parametersOf(segments) };
  level.leaf.operations.set(route.method, route);
  if (route.method === "GET") level.leaf.operations.set("HEAD", route);
}

function descend<A extends RoutedApi>(level: Level<A>, segment: string): Level<A> {
  if (segment.startsWith("{")) return (level.parameter ??= { named: new Map() });
  const next = level.named.get(segment) ?? { named: new Map() };
  level.named.set(segment, next);
  return next;
}

function parametersOf(segments: readonly string[]): Leaf<RoutedApi>["parameters"] {
  return segments.flatMap((segment, index) =>
    segment.startsWith("{") ? [[index, segment.slice(1, -1)] as const] : [],
  );
}

/** A request target in its parts. */
interface Target {
  /** The segments of the path, decoded; a slash at the end does not count. */
  readonly segments: readonly string[];
  /** The text behind the path, without the question mark. */
  readonly query: string;
}

const origin = /^https?:\/\/[^/?#]*/i;

/** Reads what a request names (RFC 9112, section 3.2). Undefined for a path that cannot be decoded. */
export function readTarget(target: string): Target | undefined {
  const text = target.startsWith("/") ? target : target.replace(origin, "");
  const end = text.search(/[?#]/);
  const path = end === -1 ? text : text.slice(0, end);
  const segments = path.split("/");
  if (segments.at(-1) === "") segments.pop();
  try {
    return {
      segments: path.includes("%") ? segments.map(decodeURIComponent) : segments,
      query: end === -1 ? "" : text.slice(end + 1),
    };
  } catch {
    return undefined;
  }
}

function findLeaf<A extends RoutedApi>(
  level: Level<A> | undefined,
  segments: readonly string[],
  at: number,
): Leaf<A> | undefined {
  if (level === undefined) return undefined;
  const segment = segments[at];
  if (segment === undefined) return level.leaf;
  return findLeaf(level.named.get(segment), segments, at + 1) ?? findLeaf(level.parameter, segments, at + 1);
}
