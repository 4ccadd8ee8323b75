import { accountList, userList } from "../../operation/scope.ts";
import { listAuditLogs } from "./audit-logs.ts";
import { AuditLog, ListAuditLogsQuery } from "./schema.ts";

const list = { orderings: ["when"], direction: "desc", perPageMax: 1_000 } as const;

export const listAccountAuditLogs = accountList({
  name: "listAccountAuditLogs",
  summary: "List the changes to an account and its zones",
  path: "/accounts/{account_id}/audit_logs",
  permission: "Account Settings Read",
  query: ListAuditLogsQuery,
  result: AuditLog,
  list,
  run: ({ db, accountId }, { query, page }) => listAuditLogs(db, { accountId }, query, page),
});

export const listUserAuditLogs = userList({
  name: "listUserAuditLogs",
  summary: "List the changes to the calling user",
  path: "/user/audit_logs",
  permission: "User Details Read",
  query: ListAuditLogsQuery,
  result: AuditLog,
  list,
  run: ({ db, user }, { query, page }) => listAuditLogs(db, { userId: user.id }, query, page),
});
