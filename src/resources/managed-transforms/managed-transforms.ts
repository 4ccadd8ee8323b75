import { availableTransforms } from "../../core/transforms/managed-transforms.ts";
import type { TransformStage } from "../../core/transforms/transform-stage.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { selectManagedTransforms } from "./store.ts";

/** The managed transforms of a zone that change its requests; undefined where none is on. */
export async function readManagedTransforms(db: Db, zone: ZoneRow): Promise<TransformStage | undefined> {
  const on = await selectManagedTransforms(db, zone.id);
  const transforms = availableTransforms(zone.plan).flatMap(({ id, of, changes }) =>
    on.has(id) && of === "request" && changes !== undefined ? [{ id, changes }] : [],
  );
  return transforms.length === 0 ? undefined : { transforms };
}
