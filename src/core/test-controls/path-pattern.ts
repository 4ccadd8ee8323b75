type PathPattern = (path: string) => boolean;

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

function segmentsOf(path: string): readonly string[] {
  const from = path.startsWith("/") ? 1 : 0;
  const to = path.endsWith("/") && path.length > from ? path.length - 1 : path.length;
  return path.slice(from, to).split("/");
}

function isWildcard(segment: string): boolean {
  return segment === "*" || (segment.startsWith("{") && segment.endsWith("}"));
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  /** The node after a segment of any content. */
  any: Node<Value> | undefined;
  /** The values of patterns that end here. */
  readonly ended: Value[];
  /** The values of patterns that leave the rest open. */
  readonly open: Value[];
}

function node<Value>(): Node<Value> {
  return { literals: new Map(), any: undefined, ended: [], open: [] };
}

/**
 * Values by patterns of paths. Those of a path are found segment by segment, at a cost that does not grow
 * with the number of patterns.
 */
export class PathIndex<Value> {
  readonly #root = node<Value>();

  add(pattern: string, value: Value): void {
    let at = this.#root;
    for (const segment of segmentsOf(pattern)) {
      if (segment === "**") {
        at.open.push(value);
        return;
      }
      at = isWildcard(segment) ? (at.any ??= node()) : child(at, segment);
    }
    at.ended.push(value);
  }

  find(path: string): Value[] {
    const segments = segmentsOf(path);
    const found: Value[] = [];
    const follow = (at: Node<Value> | undefined, depth: number): void => {
      if (at === undefined) return;
      found.push(...at.open);
      const segment = segments[depth];
      if (segment === undefined) {
        found.push(...at.ended);
        return;
      }
      follow(at.literals.get(segment), depth + 1);
      follow(at.any, depth + 1);
    };
    follow(this.#root, 0);
    return found;
  }
}

function child<Value>(at: Node<Value>, segment: string): Node<Value> {
  const found = at.literals.get(segment) ?? node<Value>();
  at.literals.set(segment, found);
  return found;
}
