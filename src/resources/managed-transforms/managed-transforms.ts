import { availableTransforms } from "../../core/transforms/managed-transforms.ts";
import type { TransformStage } from "../../core/transforms/transform-stage.ts";
import { selectRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";

/** The managed transforms of a zone that change its requests; undefined where none is on. */
export async function readManagedTransforms(db: Db, zone: ZoneRow): Promise<TransformStage | undefined> {
  const on = await enabledTransforms(db, zone.id);
  const transforms = availableTransforms(zone.plan).flatMap(({ id, of, changes }) =>
    on.has(id) && of === "request" && changes !== undefined ? [{ id, changes }] : [],
  );
  return transforms.length === 0 ? undefined : { transforms };
}

/** The managed transforms of a zone that are on. */
export async function enabledTransforms(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  const rows = await selectRows(db, "managed_transforms", { zone_id: zoneId });
  return new Set(rows.map(({ transform }) => transform));
}
