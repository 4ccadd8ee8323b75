import { onVisibleZone, onZone, type Permission } from "../core/policy/permission.ts";
import type { GroupName } from "../core/policy/permission-groups.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import type { Context } from "./context.ts";
import { lockZone } from "./scope.ts";
import {
  lists,
  reads,
  texts,
  uploads,
  writes,
  type ReadWork,
  type ScopeKind,
  type WriteWork,
} from "./scoped.ts";

export interface ZoneScope {
  readonly zone: ZoneRow;
}

/** What an operation that reads in a zone gets. */
export type ZoneRead<Needs extends Context = Context> = ReadWork<ZoneScope, Needs>;

/** What an operation gets that changes something in a zone, which is locked meanwhile. */
export type ZoneWrite<Needs extends Context = Context> = WriteWork<ZoneScope, Needs>;

/** A permission group on the zone that the path names; `visible`: any group will do. */
export type ZonePermission = GroupName<"zone"> | "visible";

/** Operations on the zone that the path names. */
export const ofZone: ScopeKind<ZoneScope, ZonePermission> = {
  permission: (name): Permission => (name === "visible" ? onVisibleZone : onZone(name)),
  ofRequest: ({ scope }) => ({ zone: scope as ZoneRow }),
  lock: async (tx, { zone }) => ({ zone: await lockZone(tx, zone.id) }),
  owner: ({ zone }) => ({ zone }),
};

export const zoneRead = reads(ofZone);
export const zoneList = lists(ofZone);
export const zoneText = texts(ofZone);
export const zoneUpload = uploads(ofZone);
export const zoneWrite = writes(ofZone);
