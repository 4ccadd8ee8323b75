import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest, notFound } from "../../core/error.ts";
import type { UserAgentRule as JudgedUserAgentRule } from "../../core/firewall-products/user-agent-rule.ts";
import { withoutTags } from "../../core/firewall-products/product.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import { findRow, insertRow, selectRows, selectRowsOfZones } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserAgentRuleRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { plans } from "../zones/zones.ts";
import type { UserAgentRule, UserAgentRuleBody } from "./schema.ts";

/** The user-agent rules of zones that are in force; the result finds those of one. */
export async function readUserAgentRules(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => JudgedUserAgentRule[]> {
  const rowsOf = await selectRowsOfZones(db, "user_agent_rules", zoneIds, ["created_on", "id"]);
  return (zoneId) =>
    rowsOf(zoneId)
      .filter(({ paused }) => paused === 0)
      .map(({ id, description, mode, user_agent: userAgent }) => ({ id, description, mode, userAgent }));
}

/** By creation; the quota of the plan bounds them. */
export function rulesOf(db: Db, zoneId: string): Promise<UserAgentRuleRow[]> {
  return selectRows(db, "user_agent_rules", { zone_id: zoneId }, ["created_on", "id"]);
}

export async function findUserAgentRule(db: Db, zoneId: string, id: string): Promise<UserAgentRuleRow> {
  return findRow(db, "user_agent_rules", { zone_id: zoneId, id }, () =>
    notFound(errorCodes.userAgentRules.unknown, "firewalluablock.api.not_found"),
  );
}

/** Errors: as `refuseInvalid`. */
export async function addUserAgentRule(
  { tx, zone, context, now }: Pick<ZoneChangeWork, "tx" | "zone" | "context" | "now">,
  body: UserAgentRuleBody,
): Promise<UserAgentRuleRow> {
  await refuseInvalid(tx, zone, body);
  const created_on = toTimestamp(now);
  const row: UserAgentRuleRow = {
    id: context.newId(),
    zone_id: zone.id,
    created_on,
    modified_on: created_on,
    description: "",
    paused: 0,
    ...toColumns(body),
  };
  await insertRow(tx, "user_agent_rules", row);
  return row;
}

/**
 * Refuses a rule that the zone cannot have. `id` is of the one that is replaced.
 * Errors: 400 code 10009 for the user agent of another rule, 10016 for one more than the plan has.
 */
export async function refuseInvalid(
  db: Db,
  zone: ZoneRow,
  body: UserAgentRuleBody,
  id?: string,
): Promise<void> {
  const { exists, quotaReached } = errorCodes.userAgentRules;
  const all = await rulesOf(db, zone.id);
  const { value } = body.configuration;
  if (all.some((other) => other.id !== id && other.user_agent === value)) {
    throw invalidRequest(exists, "firewalluablock.api.duplicate_of_existing", "/configuration/value");
  }
  if (id === undefined && all.length >= plans[zone.plan].userAgentRuleQuota) {
    throw invalidRequest(quotaReached, "firewalluablock.api.not_entitled.max_rules");
  }
}

export function toUserAgentRule(row: UserAgentRuleRow): UserAgentRule {
  return {
    id: row.id,
    ...(row.description !== "" && { description: row.description }),
    mode: row.mode,
    configuration: { target: "ua", value: row.user_agent },
    paused: row.paused === 1,
  };
}

type Columns = Pick<UserAgentRuleRow, "mode" | "user_agent"> & Partial<UserAgentRuleRow>;

/** Makes no column of a field that the body leaves out. */
export function toColumns({ mode, configuration, description, paused }: UserAgentRuleBody): Columns {
  return {
    mode,
    user_agent: configuration.value,
    ...(description !== undefined && { description: withoutTags(description ?? "") }),
    ...(paused !== undefined && { paused: toFlag(paused) }),
  };
}
