import type { Kysely } from "kysely";

import { accountTables } from "./schema/accounts.ts";
import { auditLogTables } from "./schema/audit-logs.ts";
import { certificateTables } from "./schema/certificates.ts";
import { dnsTables } from "./schema/dns.ts";
import { edgeTables } from "./schema/edges.ts";
import { listTables } from "./schema/lists.ts";
import { previousWafTables } from "./schema/previous-waf.ts";
import { ruleTables } from "./schema/rules.ts";
import { serverTables } from "./schema/server.ts";
import { signInTables } from "./schema/sign-in.ts";
import type { Row, Table } from "./schema/table.ts";
import { web3Tables } from "./schema/web3.ts";
import { zoneTransferTables } from "./schema/zone-transfers.ts";
import { zoneTables } from "./schema/zones.ts";

const declared = {
  ...accountTables,
  ...signInTables,
  ...zoneTables,
  ...dnsTables,
  ...zoneTransferTables,
  ...ruleTables,
  ...previousWafTables,
  ...listTables,
  ...certificateTables,
  ...web3Tables,
  ...edgeTables,
  ...auditLogTables,
  ...serverTables,
};

export type TableName = keyof typeof declared;

/** The row type of every table. Ids are 32 hexadecimal characters unless a row says otherwise. */
export interface Tables extends TableRows {}

type TableRows = { [Name in TableName]: Row<(typeof declared)[Name]> };

/** A connection to either engine, or a transaction on it. */
export type Db = Kysely<Tables>;

export const tables: Readonly<Record<TableName, Table>> = declared;

/** The names of all tables; one comes after those that it refers to. */
export const tableNames: readonly TableName[] = inOrderOfReferences();

/** The tables whose rows belong to copies and images of the store. */
export const copiedTables = tableNames.filter((name) => tables[name].isCopied);

function inOrderOfReferences(): TableName[] {
  const names = new Set<TableName>();
  const add = (name: TableName): void => {
    const references = Object.values(tables[name].columns).flatMap(({ reference }) => reference ?? []);
    for (const { table } of references) add(table as TableName);
    names.add(name);
  };
  for (const name of Object.keys(declared)) add(name as TableName);
  return [...names];
}
