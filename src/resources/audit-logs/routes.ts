import { onAccount, onUser } from "../../core/policy/permission.ts";
import { listRoute, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { listAuditLogs } from "./audit-logs.ts";
import { AuditLog, ListAuditLogsQuery } from "./schema.ts";

const list = { orderings: ["when"], direction: "desc", perPageMax: 1_000 } as const;

export function auditLogRoutes(context: Pick<Context, "db">): Route[] {
  return [
    listRoute({
      operation: "listAccountAuditLogs",
      summary: "List the changes to an account and its zones",
      path: "/accounts/{account_id}/audit_logs",
      permission: onAccount("Account Settings Read"),
      query: ListAuditLogsQuery,
      result: AuditLog,
      list,
      handle: ({ params, query, page }) =>
        listAuditLogs(context, { accountId: params.account_id }, query, page),
    }),
    listRoute({
      operation: "listUserAuditLogs",
      summary: "List the changes to the calling user",
      path: "/user/audit_logs",
      permission: onUser("User Details Read"),
      query: ListAuditLogsQuery,
      result: AuditLog,
      list,
      handle: ({ caller, query, page }) =>
        listAuditLogs(context, { userId: caller.user?.id ?? "" }, query, page),
    }),
  ];
}
