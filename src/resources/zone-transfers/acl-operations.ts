import { accessRange } from "../../core/dns/access-range.ts";
import { pageOf } from "../../core/page.ts";
import { accountList, accountRead, accountWrite } from "../../operation/account.ts";
import { IdOnly } from "../../operation/schema.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { deleteRow, insertRow, updateRow } from "../../storage/rows.ts";
import type { TransferAclRow } from "../../storage/schema/zone-transfers.ts";
import { Acl, AclBody } from "./schema.ts";
import { selectOfAccount } from "./store.ts";
import { findAcl, invalidValue, refuseQuota } from "./zone-transfers.ts";

const path = "/accounts/{account_id}/secondary_dns/acls";
const item = "/accounts/{account_id}/secondary_dns/acls/{acl_id}";
const read = ["Account Settings Read", "Account Settings Write"] as const;
const write = "Account Settings Write";

/** The oldest first. */
export const listTransferAcls = accountList({
  name: "listTransferAcls",
  summary: "List the addresses that may transfer the zones of an account",
  path,
  permission: read,
  result: Acl,
  list: { orderings: ["created_on"], perPageMax: 500 },
  run: async ({ db, accountId }, { page }) => {
    const rows = await selectOfAccount(db, "transfer_acls", accountId);
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(toAcl), totalCount };
  },
});

/** Errors: 400 code 10011 for a range that is none or too large, 10013 above the quota. */
export const createTransferAcl = accountWrite({
  name: "createTransferAcl",
  summary: "Allow an address or a range to transfer the zones of an account",
  method: "POST",
  path,
  permission: write,
  body: AclBody,
  result: Acl,
  run: async ({ tx, accountId, context, now, audit }, { body }) => {
    await refuseQuota(tx, "transfer_acls", accountId, "ACLs");
    const row: TransferAclRow = {
      id: context.newId(),
      account_id: accountId,
      name: body.name,
      ip_range: parseRange(body.ip_range),
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "transfer_acls", row);
    const after = toAcl(row);
    audit({ action: "transfer_acl_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const getTransferAcl = accountRead({
  name: "getTransferAcl",
  summary: "Get an ACL of zone transfers",
  path: item,
  permission: read,
  result: Acl,
  run: async ({ db, accountId }, { params }) => toAcl(await findAcl(db, accountId, params.acl_id)),
});

/** Errors: 404 code 10001, 400 code 10011. */
export const replaceTransferAcl = accountWrite({
  name: "replaceTransferAcl",
  summary: "Change an ACL of zone transfers",
  method: "PUT",
  path: item,
  permission: write,
  body: AclBody,
  result: Acl,
  run: async ({ tx, accountId, audit }, { params: { acl_id: id }, body }) => {
    const row = await findAcl(tx, accountId, id);
    const change = { name: body.name, ip_range: parseRange(body.ip_range) };
    await updateRow(tx, "transfer_acls", id, change);
    const after = toAcl({ ...row, ...change });
    audit({ action: "transfer_acl_edit", id, before: toAcl(row), after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const deleteTransferAcl = accountWrite({
  name: "deleteTransferAcl",
  summary: "Delete an ACL of zone transfers",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async ({ tx, accountId, audit }, { params: { acl_id: id } }) => {
    const before = toAcl(await findAcl(tx, accountId, id));
    await deleteRow(tx, "transfer_acls", id);
    audit({ action: "transfer_acl_delete", id, before });
    return { id };
  },
});

function parseRange(text: string): string {
  const range = accessRange(text);
  if (range !== undefined) return range;
  throw invalidValue(
    "/ip_range",
    "must be an IP address, or a range in CIDR notation of at most a /24 or /64",
  );
}

function toAcl({ id, ip_range, name }: TransferAclRow): Acl {
  return { id, ip_range, name };
}
