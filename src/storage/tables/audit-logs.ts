import type { Json, Timestamp } from "../columns.ts";

/** A change: who made it, from where, and what it was. */
export interface AuditLogRow {
  /** UUID, version 7. */
  id: string;
  occurred_on: Timestamp;
  /** The account that it belongs to; null for an entry of a user. */
  account_id: string | null;
  /** The user that it belongs to; null for an entry of an account. */
  user_id: string | null;
  action_type: string;
  actor_type: "user" | "account" | "system";
  actor_id: string | null;
  actor_email: string | null;
  actor_ip: string | null;
  /** The token with which the change was made, if any. */
  token_id: string | null;
  /** `UI` is the dashboard. */
  interface: "API" | "UI" | "CLI" | "timer";
  resource_type: string;
  resource_id: string;
  zone_id: string | null;
  zone_name: string | null;
  /** The object before and after, without secrets; null if there was or is none. */
  old_value: Json<unknown> | null;
  new_value: Json<unknown> | null;
  metadata: Json<Record<string, unknown>>;
}
