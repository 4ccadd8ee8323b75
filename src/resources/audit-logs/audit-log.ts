import { fromJson, type Json } from "../../storage/columns.ts";
import type { AuditLogRow } from "../../storage/schema/audit-logs.ts";
import type { AuditLog } from "./schema.ts";

export function toAuditLog(row: AuditLogRow): AuditLog {
  return {
    id: row.id,
    action: { result: true, type: row.action_type },
    actor: { id: row.actor_id, email: row.actor_email, ip: row.actor_ip, type: row.actor_type },
    interface: row.interface,
    metadata: {
      ...(row.token_id !== null && { token_id: row.token_id }),
      ...(row.zone_id !== null && { zone_id: row.zone_id, zone_name: row.zone_name }),
      ...fromJson(row.metadata),
    },
    newValue: row.new_value ?? "",
    newValueJson: valueOf(row.new_value),
    oldValue: row.old_value ?? "",
    oldValueJson: valueOf(row.old_value),
    owner: { id: row.account_id ?? row.user_id ?? "" },
    resource: { id: row.resource_id, type: row.resource_type },
    when: row.occurred_on,
  };
}

function valueOf(text: Json<unknown> | null): unknown {
  return text === null ? null : fromJson(text);
}
