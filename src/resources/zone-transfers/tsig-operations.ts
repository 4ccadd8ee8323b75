import { parseTsigAlgorithm } from "../../core/dns/wire/tsig-algorithms.ts";
import { decide } from "../../core/policy/evaluate.ts";
import { account } from "../../core/policy/permission-groups.ts";
import { pageOf } from "../../core/page.ts";
import {
  accountList,
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
} from "../../operation/account.ts";
import { IdOnly } from "../../operation/schema.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { deleteRow, insertRow, selectRow, updateRow } from "../../storage/rows.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { TransferKeyRow } from "../../storage/schema/zone-transfers.ts";
import { Tsig, TsigBody } from "./schema.ts";
import { selectOfAccount } from "./store.ts";
import {
  findKey,
  invalidValue,
  isDomainName,
  refuseInUse,
  refuseQuota,
  type TransferKeyContext,
} from "./zone-transfers.ts";

const path = "/accounts/{account_id}/secondary_dns/tsigs";
const item = "/accounts/{account_id}/secondary_dns/tsigs/{tsig_id}";
const read = ["Account Settings Read", "Account Settings Write"] as const;
const write = "Account Settings Write";

/** The oldest first, with their secrets for callers who may change them. Errors: 503 code 10504 without the secret key. */
export const listTsigs = accountList({
  name: "listTsigs",
  summary: "List the TSIG keys of an account",
  path,
  permission: read,
  result: Tsig,
  list: { orderings: ["created_on"], perPageMax: 500 },
  run: async (work: AccountRead<TransferKeyContext>, { page }) => {
    const { db, accountId } = work;
    const shown = shownTo(work);
    const rows = await selectOfAccount(db, "transfer_keys", accountId);
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(shown), totalCount };
  },
});

/** Errors: 400 code 10011 for a name, algorithm or secret that is none, 10013 above the quota; 503 code 10504. */
export const createTsig = accountWrite({
  name: "createTsig",
  summary: "Create a TSIG key",
  method: "POST",
  path,
  permission: write,
  body: TsigBody,
  result: Tsig,
  run: async ({ tx, accountId, context, now, audit }: AccountWrite<TransferKeyContext>, { body }) => {
    refuseInvalid(body);
    await refuseQuota(tx, "transfer_keys", accountId, "TSIG keys");
    const id = context.newId();
    const row: TransferKeyRow = {
      id,
      account_id: accountId,
      name: body.name,
      algo: body.algo,
      secret: context.secretBox.seal(body.secret, sealedPlace("transfer_keys.secret", id)),
      created_on: toTimestamp(now),
    };
    await insertRow(tx, "transfer_keys", row);
    audit({ action: "tsig_add", id, after: withoutSecret(row) });
    return { id, ...body };
  },
});

/** Errors: 404 code 10003, 503 code 10504. */
export const getTsig = accountRead({
  name: "getTsig",
  summary: "Get a TSIG key",
  path: item,
  permission: read,
  result: Tsig,
  run: async (work: AccountRead<TransferKeyContext>, { params }) =>
    shownTo(work)(await findKey(work.db, work.accountId, params.tsig_id)),
});

/** Errors: 404 code 10003, 400 code 10011, 503 code 10504. */
export const replaceTsig = accountWrite({
  name: "replaceTsig",
  summary: "Change a TSIG key",
  method: "PUT",
  path: item,
  permission: write,
  body: TsigBody,
  result: Tsig,
  run: async (
    { tx, accountId, context, audit }: AccountWrite<TransferKeyContext>,
    { params: { tsig_id: id }, body },
  ) => {
    const row = await findKey(tx, accountId, id);
    refuseInvalid(body);
    const change = {
      name: body.name,
      algo: body.algo,
      secret: context.secretBox.seal(body.secret, sealedPlace("transfer_keys.secret", id)),
    };
    await updateRow(tx, "transfer_keys", id, change);
    const [before, after] = [withoutSecret(row), withoutSecret({ ...row, ...change })];
    audit({ action: "tsig_edit", id, before, after });
    return { id, ...body };
  },
});

/** Errors: 404 code 10003, 400 code 10031 for the key of a peer. */
export const deleteTsig = accountWrite({
  name: "deleteTsig",
  summary: "Delete a TSIG key",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async ({ tx, accountId, audit }, { params: { tsig_id: id } }) => {
    const row = await findKey(tx, accountId, id);
    const peer = await selectRow(tx, "transfer_peers", { key_id: id });
    refuseInUse(peer !== undefined, "TSIG", `the peer ${peer?.name}`);
    await deleteRow(tx, "transfer_keys", id);
    audit({ action: "tsig_delete", id, before: withoutSecret(row) });
    return { id };
  },
});

function refuseInvalid({ name, algo, secret }: TsigBody): void {
  if (!isDomainName(name)) throw invalidValue("/name", "must be a domain name");
  if (parseTsigAlgorithm(algo) === undefined) {
    throw invalidValue("/algo", "must be an algorithm of TSIG, such as hmac-sha256.");
  }
  // Not so for a text with other characters, a wrong length, or bits behind the last octet.
  if (Buffer.from(secret, "base64").toString("base64") !== secret) {
    throw invalidValue("/secret", "must be base64");
  }
}

/** How a caller sees a key: whoever may not change it does not see its secret. */
function shownTo({
  caller,
  accountId,
  context,
}: AccountRead<TransferKeyContext>): (row: TransferKeyRow) => Tsig {
  const { allowed } = decide(caller.grants, account(write), { type: "account", id: accountId });
  return allowed ? (row) => toTsig(context, row) : withoutSecret;
}

function toTsig({ secretBox }: TransferKeyContext, { id, name, algo, secret }: TransferKeyRow): Tsig {
  return { id, name, algo, secret: secretBox.open(secret, sealedPlace("transfer_keys.secret", id)) };
}

function withoutSecret({ id, name, algo }: TransferKeyRow): Omit<Tsig, "secret"> {
  return { id, name, algo };
}
