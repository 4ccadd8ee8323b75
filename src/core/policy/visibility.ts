import { decide, hasAnyPermission, isDenied, type Resource } from "./evaluate.ts";
import { alikeIds, type Grants } from "./grants.ts";
import { zone, type PermissionGroup } from "./permission-groups.ts";

/** A set of ids: only these, or all but these. */
export interface IdSet {
  readonly mode: "only" | "except";
  readonly ids: readonly string[];
}

/** The zones that a caller may see, as a filter of a query. Must agree with `isVisibleZone`. */
export interface VisibleZones {
  /** Unnamed zones are visible if their account is in this set. */
  readonly others: IdSet;
  /** Zones that policies name, each visible if its account is in the set. No zone is listed twice. */
  readonly named: readonly { readonly zoneIds: readonly string[]; readonly accounts: IdSet }[];
}

const zoneRead = zone("Zone Read");

/** An id that no resource has, for all resources that no policy names. */
const unnamed = "";

/** Whether a zone is visible: with any permission on it, unless *Zone Read* is denied. */
export function isVisibleZone(grants: Grants, resource: Extract<Resource, { type: "zone" }>): boolean {
  return hasAnyPermission(grants, resource) && !isDenied(grants, zoneRead, resource);
}

/** Cached per grants, as policies may name thousands of zones. */
export function visibleZones(grants: Grants): VisibleZones {
  const known = visibleZonesOf.get(grants);
  if (known !== undefined) return known;
  const found = findVisibleZones(grants);
  visibleZonesOf.set(grants, found);
  return found;
}

const visibleZonesOf = new WeakMap<Grants, VisibleZones>();

function findVisibleZones(grants: Grants): VisibleZones {
  const accountKinds = alikeIds(grants.layers.map((layer) => layer.zone.ofAccount));
  const zoneKinds = alikeIds(grants.layers.map((layer) => layer.zone.one));
  const accountsThatShow = (id: string): IdSet =>
    idSetWhere(accountKinds, (accountId) => isVisibleZone(grants, { type: "zone", id, accountId }));

  const others = accountsThatShow(unnamed);
  const named = zoneKinds
    .map((zoneIds) => ({ zoneIds, accounts: accountsThatShow(zoneIds[0] ?? unnamed) }))
    .filter(({ accounts }) => keyOf(accounts) !== keyOf(others));
  const merged = Map.groupBy(named, ({ accounts }) => keyOf(accounts)).values();
  return {
    others,
    named: Array.from(merged, (kinds) => ({
      zoneIds: kinds.flatMap(({ zoneIds }) => zoneIds),
      accounts: kinds[0]?.accounts ?? others,
    })),
  };
}

/** The accounts on which a group is allowed. */
export function visibleAccounts(grants: Grants, group: PermissionGroup): IdSet {
  return idSetWhere(
    alikeIds(grants.layers.map((layer) => layer.account.one)),
    (id) => decide(grants, group, { type: "account", id }).allowed,
  );
}

function idSetWhere(kinds: readonly (readonly string[])[], isIn: (id: string) => boolean): IdSet {
  const isUnnamedIn = isIn(unnamed);
  const ids = kinds.filter(([id = unnamed]) => isIn(id) !== isUnnamedIn).flat();
  return { mode: isUnnamedIn ? "except" : "only", ids };
}

function keyOf({ mode, ids }: IdSet): string {
  return `${mode} ${ids.join()}`;
}
