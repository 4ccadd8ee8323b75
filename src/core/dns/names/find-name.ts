import { parentOf } from "../wire/names.ts";
import type { ZoneCuts } from "./zone-cuts.ts";
import type { ZoneRedirections } from "./zone-redirections.ts";

/** The names of a zone, as its name server and the edge find them. All names are folded and without final dot. */
export interface ZoneNameTree<Node> {
  /** The name of the zone. */
  readonly zone: string;
  /** What is known of a name that exists: one with records, or an empty non-terminal (RFC 4592 section 2.2.2). */
  readonly get: (name: string) => Node | undefined;
  readonly cuts: ZoneCuts;
  readonly redirections: ZoneRedirections;
}

/** The result of looking a name up in a zone. */
export type FoundName<Node> =
  /** The name exists, or `wildcard` is the name of the wildcard that matches it. */
  | { readonly kind: "name"; readonly node: Node; readonly wildcard: string | undefined }
  /** The name is delegated, or lies below a delegation. */
  | { readonly kind: "cut"; readonly node: Node; readonly cut: string }
  /** The name lies below one with a DNAME record. */
  | { readonly kind: "redirected"; readonly node: Node; readonly from: string }
  | { readonly kind: "missing" };

/** Looks up a name of the zone (RFC 1034 section 4.3.2, RFC 4592 section 3.3). */
export function findName<Node>(tree: ZoneNameTree<Node>, name: string): FoundName<Node> {
  const cut = tree.cuts.enclosing(name);
  const node = tree.get(cut ?? name);
  const from = tree.redirections.above(name, cut);
  const redirecting = from === undefined ? undefined : tree.get(from);
  if (from !== undefined && redirecting !== undefined) return { kind: "redirected", node: redirecting, from };
  if (cut !== undefined && node !== undefined) return { kind: "cut", node, cut };
  if (node !== undefined) return { kind: "name", node, wildcard: undefined };

  const wildcard = `*.${closestEncloser(tree, name)}`;
  const source = tree.get(wildcard);
  return source === undefined ? { kind: "missing" } : { kind: "name", node: source, wildcard };
}

/** The closest encloser of a name that does not exist (RFC 4592 section 3.3.1). */
export function closestEncloser<Node>(
  { zone, get }: Pick<ZoneNameTree<Node>, "zone" | "get">,
  name: string,
): string {
  let encloser = parentOf(name);
  while (encloser !== undefined && get(encloser) === undefined) encloser = parentOf(encloser);
  return encloser ?? zone;
}
