import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { availableTransforms, type ManagedTransform } from "../../core/transforms/managed-transforms.ts";
import { Nothing } from "../../operation/scoped.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { deleteRows, insertRows } from "../../storage/rows.ts";
import { enabledTransforms } from "./managed-transforms.ts";
import { EditManagedTransformsBody, ManagedTransforms } from "./schema.ts";

const path = "/zones/{zone_id}/managed_headers";
const write = "Managed headers Write";

export const listManagedTransforms = zoneRead({
  name: "listManagedTransforms",
  summary: "List the managed transforms that a zone can turn on",
  path,
  permission: "Managed headers Read",
  result: ManagedTransforms,
  run: async ({ db, zone }) => toManagedTransforms(zone, await enabledTransforms(db, zone.id)),
});

/** Errors: 404 code 1003 for one that the plan does not have, 403 code 20410 for two that conflict. */
export const editManagedTransforms = zoneWrite({
  name: "editManagedTransforms",
  summary: "Turn managed transforms on or off; those that are left out stay",
  method: "PATCH",
  path,
  permission: write,
  body: EditManagedTransformsBody,
  result: ManagedTransforms,
  run: (work, { body }) => changeTransforms(work, (on) => changedBy(body, work.zone, on)),
});

export const deleteManagedTransforms = zoneWrite({
  name: "deleteManagedTransforms",
  summary: "Turn all managed transforms off",
  method: "DELETE",
  path,
  permission: write,
  answersNothing: true,
  result: Nothing,
  run: (work) => changeTransforms(work, () => new Set()),
});

async function changeTransforms(
  { tx, zone, audit }: ZoneWrite,
  change: (on: ReadonlySet<string>) => ReadonlySet<string>,
): Promise<ManagedTransforms> {
  const on = await enabledTransforms(tx, zone.id);
  const changed = change(on);
  const rows = [...changed].map((transform) => ({ zone_id: zone.id, transform }));
  await deleteRows(tx, "managed_transforms", { zone_id: zone.id });
  await insertRows(tx, "managed_transforms", rows);
  const [before, after] = [toManagedTransforms(zone, on), toManagedTransforms(zone, changed)];
  audit({ action: "managed_transforms_edit", id: zone.id, before, after });
  return after;
}

/**
 * The transforms that are on after all changes of a body: one may be turned off for another that conflicts
 * with it.
 */
function changedBy(
  body: EditManagedTransformsBody,
  { plan }: ZoneRow,
  on: ReadonlySet<string>,
): ReadonlySet<string> {
  const available = availableTransforms(plan);
  const changed = new Set(on);
  const changes = kinds.flatMap(([key, of]) =>
    (body[key] ?? []).map(({ id, enabled }, index) => ({ id, enabled, of, pointer: `/${key}/${index}/id` })),
  );
  for (const { id, enabled, of, pointer } of changes) {
    if (!available.some((one) => one.id === id && one.of === of)) {
      const message = `Invalid body \`${pointer.slice(1)}\`: is no managed ${of} transform of the plan`;
      throw new AppError("not-found", errorCodes.request.invalid, message, { pointer });
    }
    if (enabled) changed.add(id);
    else changed.delete(id);
  }
  for (const { id, pointer } of changes) {
    const conflicting = available.find((one) => one.id === id)?.conflictsWith ?? "";
    if (changed.has(id) && changed.has(conflicting)) {
      const message = `Invalid body \`${pointer.slice(1)}\`: conflicts with ${conflicting}, which is on`;
      throw new AppError("forbidden", errorCodes.managedTransforms.conflict, message, { pointer });
    }
  }
  return changed;
}

const kinds = [
  ["managed_request_headers", "request"],
  ["managed_response_headers", "response"],
] as const;

function toManagedTransforms({ plan }: ZoneRow, on: ReadonlySet<string>): ManagedTransforms {
  const shown = (kind: "request" | "response") =>
    availableTransforms(plan).flatMap((transform) =>
      transform.of === kind ? [toTransform(transform, on)] : [],
    );
  return { managed_request_headers: shown("request"), managed_response_headers: shown("response") };
}

function toTransform(
  { id, conflictsWith }: ManagedTransform,
  on: ReadonlySet<string>,
): ManagedTransforms["managed_request_headers"][number] {
  const enabled = on.has(id);
  if (conflictsWith === undefined) return { id, enabled, has_conflict: false };
  return { id, enabled, has_conflict: on.has(conflictsWith), conflicts_with: [conflictsWith] };
}
