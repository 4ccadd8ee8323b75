/** Whether a path follows a pattern. */
export type PathPattern = (path: string) => boolean;

const one = Symbol("one segment");

/**
 * Compiles a pattern of paths: `*` or `{name}` stands for one segment, `**` at the end for any number of them. A trailing
 * slash is ignored in both.
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

/** The segments of a pattern before its first wildcard, as a path; undefined if it has a wildcard at once. */
export function literalPrefix(pattern: string): { readonly prefix: string; readonly depth: number } {
  const segments = segmentsOf(pattern);
  const wildcard = segments.findIndex((segment) => isWildcard(segment) || segment === "**");
  const literal = wildcard === -1 ? segments : segments.slice(0, wildcard);
  return { prefix: literal.join("/"), depth: literal.length };
}

/** The first segments of a path; undefined if it has fewer. */
export function firstSegments(path: string, depth: number): string | undefined {
  const segments = segmentsOf(path);
  return segments.length < depth ? undefined : segments.slice(0, depth).join("/");
}

/** How far a path is from a pattern: the share of segments that differ, from 0 to 1. */
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

function segmentsOf(path: string): readonly string[] {
  const from = path.startsWith("/") ? 1 : 0;
  const to = path.endsWith("/") && path.length > from ? path.length - 1 : path.length;
  return path.slice(from, to).split("/");
}

function isWildcard(segment: string): boolean {
  return segment === "*" || (segment.startsWith("{") && segment.endsWith("}"));
}
