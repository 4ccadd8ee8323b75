import { json, nullable, table, text, timestamp, type Row } from "./table.ts";

export const auditLogTables = {
  /** A change: who made it, from where, and what it was. */
  audit_logs: table(
    {
      /** UUID, version 7. */
      id: text(),
      occurred_on: timestamp(),
      /** The account that it belongs to; null for an entry of a user. */
      account_id: nullable(text()),
      /** The user that it belongs to; null for an entry of an account. */
      user_id: nullable(text()),
      action_type: text(),
      actor_type: text<"user" | "account" | "system">(),
      actor_id: nullable(text()),
      actor_email: nullable(text()),
      actor_ip: nullable(text()),
      /** The token with which the change was made, if any. */
      token_id: nullable(text()),
      /** `UI` is the dashboard. */
      interface: text<"API" | "UI" | "CLI" | "timer">(),
      resource_type: text(),
      resource_id: text(),
      zone_id: nullable(text()),
      zone_name: nullable(text()),
      /** The object before and after, without secrets; null if there was or is none. */
      old_value: nullable(json<unknown>()),
      new_value: nullable(json<unknown>()),
      metadata: json<Record<string, unknown>>(),
    },
    {
      // Each serves the pages and filters of one owner's log, by time. What is old is found by the key, which
      // begins with it.
      indexes: [
        { on: ["account_id", "occurred_on", "id"], where: "account_id is not null" },
        { on: ["user_id", "occurred_on", "id"], where: "user_id is not null" },
      ],
    },
  ),
};

export type AuditLogRow = Row<typeof auditLogTables.audit_logs>;
