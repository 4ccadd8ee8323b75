export type PathPattern = (path: string) => boolean;

const one = Symbol("one segment");

/**
 * Compiles a pattern of paths: `*` or `{name}` stands for one segment, `**` at the end for any number of
 * them. A trailing slash is ignored in both.
 */
export function compilePath(pattern: string): PathPattern {
  const segments = segmentsOf(pattern);
  const isOpen = segments.at(-1) === "**";
  const wanted = (isOpen ? segments.slice(0, -1) : segments).map((segment) =>
    isWildcard(segment) ? one : segment,
  );
  return (path) => {
    const given = segmentsOf(path);
    if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
    return wanted.every((segment, index) => segment === one || segment === given[index]);
  };
}

/** The distance of a path from a pattern: the share of segments that differ, from 0 to 1. */
export function pathDistance(pattern: string, path: string): number {
  const wanted = segmentsOf(pattern);
  const given = segmentsOf(path);
  const length = Math.max(wanted.length, given.length, 1);
  const equal = wanted.filter((segment, index) => {
    const other = given[index];
    return other !== undefined && (segment === other || segment === "**" || isWildcard(segment));
  });
  return (length - equal.length) / length;
}

/** The segments of a path or a pattern. */
export function segmentsOf(path: string): readonly string[] {
  const from = path.startsWith("/") ? 1 : 0;
  const to = path.endsWith("/") && path.length > from ? path.length - 1 : path.length;
  return path.slice(from, to).split("/");
}

export function isWildcard(segment: string): boolean {
  return segment === "*" || (segment.startsWith("{") && segment.endsWith("}"));
}
