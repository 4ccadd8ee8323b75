import { isWildcard, segmentsOf } from "./path-pattern.ts";

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

  /** Adds a pattern that `compilePath` takes. */
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
