import type { AuditLog, ListAuditLogsQuery } from "../../../src/resources/audit-logs/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { AuditLog };

export type AuditLogQuery = Pick<
  ListAuditLogsQuery,
  "action.type" | "actor.email" | "zone.name" | "since" | "before"
> & { readonly page: number; readonly per_page: number };

export const listAccountAuditLogs = (accountId: string, query: AuditLogQuery): ApiCall<AuditLog[]> => ({
  method: "GET",
  path: path`/accounts/${accountId}/audit_logs`,
  query: { ...query },
});

/** The changes to the signed-in user. */
export const listUserAuditLogs = (query: AuditLogQuery): ApiCall<AuditLog[]> => ({
  method: "GET",
  path: "/user/audit_logs",
  query: { ...query },
});
