import { includesPlan, type Plan } from "../expression/phases.ts";

export const listKinds = ["ip", "redirect", "hostname", "asn"] as const;

export type ListKind = (typeof listKinds)[number];

export const listNameLengthMax = 50;
export const listNamePattern = "^[a-zA-Z0-9_]+$";

/** The numbers of lists of these kinds, and of all their items together, that an account may have. */
interface ListBound {
  readonly kinds: readonly ListKind[];
  readonly listsMax: number;
  readonly itemsMax: number;
}

export type ListCounts = ReadonlyMap<ListKind, { readonly lists: number; readonly items: number }>;

const custom = ["ip", "hostname", "asn"] as const;
const notBelowEnterprise: ListBound = { kinds: ["hostname", "asn"], listsMax: 0, itemsMax: 0 };

const boundsOfPlans: Readonly<Record<Plan, readonly ListBound[]>> = {
  free: [
    { kinds: custom, listsMax: 1, itemsMax: 10_000 },
    { kinds: ["redirect"], listsMax: 5, itemsMax: 10_000 },
    notBelowEnterprise,
  ],
  pro: [
    { kinds: custom, listsMax: 10, itemsMax: 10_000 },
    { kinds: ["redirect"], listsMax: 5, itemsMax: 25_000 },
    notBelowEnterprise,
  ],
  business: [
    { kinds: custom, listsMax: 10, itemsMax: 10_000 },
    { kinds: ["redirect"], listsMax: 5, itemsMax: 50_000 },
    notBelowEnterprise,
  ],
  enterprise: [
    { kinds: custom, listsMax: 1_000, itemsMax: 500_000 },
    { kinds: ["hostname"], listsMax: 40, itemsMax: 10_000 },
    { kinds: ["asn"], listsMax: 40, itemsMax: 30_000 },
    { kinds: ["redirect"], listsMax: 25, itemsMax: 1_000_000 },
  ],
};

export function hasKind(plan: Plan, kind: ListKind): boolean {
  return kind === "ip" || kind === "redirect" || includesPlan(plan, "enterprise");
}

/** The limit that one more list of the kind would exceed; undefined if none. */
export function exceededByList(plan: Plan, kind: ListKind, counts: ListCounts): ListBound | undefined {
  return boundsOf(plan, kind).find(({ kinds, listsMax }) => totalOf(counts, kinds, "lists") + 1 > listsMax);
}

/** The limit that `count` more items of the kind would exceed; undefined if none. */
export function exceededByItems(
  plan: Plan,
  kind: ListKind,
  counts: ListCounts,
  more: number,
): ListBound | undefined {
  if (more <= 0) return undefined;
  return boundsOf(plan, kind).find(
    ({ kinds, itemsMax }) => totalOf(counts, kinds, "items") + more > itemsMax,
  );
}

function boundsOf(plan: Plan, kind: ListKind): readonly ListBound[] {
  return boundsOfPlans[plan].filter(({ kinds }) => kinds.includes(kind));
}

function totalOf(counts: ListCounts, kinds: readonly ListKind[], what: "lists" | "items"): number {
  return kinds.reduce((sum, kind) => sum + (counts.get(kind)?.[what] ?? 0), 0);
}
