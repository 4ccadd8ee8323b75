import { windowPhase } from "../../core/policy/conditions.ts";
import { findPermissionGroup } from "../../core/policy/permission-groups.ts";
import { printResources } from "../../core/policy/resource-keys.ts";
import { fromJson, type Timestamp } from "../../storage/columns.ts";
import type { SentCondition, TokenRow } from "../../storage/schema/accounts.ts";
import type { Token } from "./schema.ts";
import { timeWindowOf } from "./terms.ts";

/** A token in answers, without its secret. */
export function toToken(row: TokenRow, vendor: string, now: Date): Token {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row, now),
    issued_on: inSeconds(row.issued_on),
    modified_on: inSeconds(row.modified_on),
    last_used_on: row.last_used_on === null ? null : inSeconds(row.last_used_on),
    ...(row.not_before !== null && { not_before: row.not_before }),
    ...(row.expires_on !== null && { expires_on: row.expires_on }),
    policies: fromJson(row.policies).map(({ id, effect, resources, groupIds }) => ({
      id,
      effect,
      resources: printResources(resources, vendor),
      permission_groups: groupIds.map((groupId) => ({
        id: groupId,
        name: findPermissionGroup(groupId)?.name ?? "",
      })),
    })),
    ...(row.condition !== null && { condition: asSent(fromJson(row.condition)) }),
  };
}

/** An expired token is `expired` even when disabled. */
export function statusOf(row: TokenRow, now: Date): Token["status"] {
  return windowPhase(timeWindowOf(row), now.getTime()) === "over" ? "expired" : row.status;
}

/** With the keys that were sent. */
function asSent({ sentAs = ["request.ip"], ...addresses }: SentCondition): NonNullable<Token["condition"]> {
  const body = {
    ...(addresses.in && { in: [...addresses.in] }),
    ...(addresses.not_in && { not_in: [...addresses.not_in] }),
  };
  return Object.fromEntries(sentAs.map((key) => [key, body]));
}

/** The public service answers the times of tokens in whole seconds. */
function inSeconds(time: Timestamp): string {
  return `${time.slice(0, 19)}Z`;
}
