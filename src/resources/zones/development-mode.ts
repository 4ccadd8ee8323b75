import { updateRow } from "../../storage/rows.ts";
import { toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

const durationSeconds = 3 * 60 * 60;

/** Seconds until development mode ends, negative after its end, 0 if it was never on. */
export function developmentModeSeconds(endsOn: Timestamp | null, now: Date): number {
  return endsOn === null ? 0 : Math.round((Date.parse(endsOn) - now.getTime()) / 1000);
}

/** Turns it on for three hours from `now`, or off, in a transaction that has locked the zone. */
export async function setDevelopmentMode(tx: Db, zone: ZoneRow, isOn: boolean, now: Date): Promise<ZoneRow> {
  const endsOn = toTimestamp(new Date(now.getTime() + (isOn ? durationSeconds * 1000 : 0)));
  await updateRow(tx, "zones", zone.id, { development_mode_ends_on: endsOn });
  return { ...zone, development_mode_ends_on: endsOn };
}
