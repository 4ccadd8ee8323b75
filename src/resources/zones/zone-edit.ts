import { toAsciiName } from "../../core/dns/content/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest } from "../../core/error.ts";
import { toFlag, toJson } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { findPlan } from "./plans.ts";
import type { EditZoneBody } from "./schema.ts";

/**
 * The columns that an edit changes; none if the value is already set. Errors: 400 code 1003 for an invalid
 * name server, 1085 for more than one property, 1088 for an unknown plan.
 */
export function toColumns(row: ZoneRow, body: EditZoneBody, newId: () => string): Partial<ZoneRow> {
  const given = (["paused", "type", "vanity_name_servers", "plan"] as const).filter(
    (key) => body[key] != null,
  );
  if (given.length > 1) {
    throw invalidRequest(
      errorCodes.zones.severalProperties,
      "Only one zone property can be changed at a time",
      `/${given[1]}`,
    );
  }
  if (body.paused != null) return { paused: toFlag(body.paused) };
  if (body.type != null) {
    if (body.type === row.type) return {};
    return { type: body.type, verification_key: body.type === "partial" ? newVerificationKey(newId) : null };
  }
  if (body.vanity_name_servers != null) {
    return { vanity_name_servers: vanityNameServersColumn(body.vanity_name_servers) };
  }
  if (body.plan != null) {
    const plan = findPlan(body.plan.id);
    if (plan === undefined) {
      throw invalidBody("/plan/id", "there is no such plan", errorCodes.zones.unknownPlan);
    }
    return { plan };
  }
  return {};
}

/** Errors: 400 code 1003 for an invalid host name. */
export function vanityNameServersColumn(names: readonly string[]): ZoneRow["vanity_name_servers"] {
  return toJson(names.map(parseNameServer));
}

function parseNameServer(name: string, index: number): string {
  const ascii = toAsciiName(name);
  if (ascii === undefined || !ascii.includes(".")) {
    throw invalidBody(`/vanity_name_servers/${index}`, "must be a host name");
  }
  return ascii;
}

/** Two numbers without meaning, in the form of the public service. */
export function newVerificationKey(newId: () => string): string {
  const digits = BigInt(`0x${newId()}`).toString().padStart(18, "0");
  return `${digits.slice(0, 9)}-${digits.slice(9, 18)}`;
}
