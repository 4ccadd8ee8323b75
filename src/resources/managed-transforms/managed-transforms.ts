import { availableTransforms } from "../../core/transforms/managed-transforms.ts";
import type { HeaderChange } from "../../core/transforms/request-headers.ts";
import type { TransformStage } from "../../core/transforms/transform-stage.ts";
import { selectRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** What the managed transforms of a zone change that are on. */
export interface ManagedTransforms {
  /** In requests; undefined where nothing. */
  readonly transforms: TransformStage | undefined;
  /** In the responses of origins. */
  readonly responseChanges: readonly HeaderChange[];
}

export async function readManagedTransforms(db: Db, zone: ZoneRow): Promise<ManagedTransforms> {
  const enabled = await enabledTransforms(db, zone.id);
  const on = availableTransforms(zone.plan).filter(({ id }) => enabled.has(id));
  const transforms = on.flatMap(({ id, changes }) => (changes === undefined ? [] : [{ id, changes }]));
  return {
    transforms: transforms.length === 0 ? undefined : { transforms },
    responseChanges: on.flatMap(({ responseChanges = [] }) => responseChanges),
  };
}

/** The managed transforms of a zone that are on. */
export async function enabledTransforms(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  const rows = await selectRows(db, "managed_transforms", { zone_id: zoneId });
  return new Set(rows.map(({ transform }) => transform));
}
