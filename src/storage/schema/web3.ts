import { reference, table, text, timestamp, type Row } from "./table.ts";

export const web3Tables = {
  /** A name of a zone that stands for a gateway. */
  web3_hostnames: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      /** ASCII, lower case. */
      name: text(),
      target: text<"ethereum" | "ipfs" | "ipfs_universal_path">(),
      description: text(),
      dnslink: text(),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "name"], isUnique: true }] },
  ),
  /** Content that the gateway of a Web3 hostname must not serve. */
  web3_content_list_entries: table(
    {
      id: text(),
      hostname_id: reference("web3_hostnames", "cascade"),
      type: text<"cid" | "content_path">(),
      /** In the notation of the client. */
      content: text(),
      description: text(),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["hostname_id", "content"], isUnique: true }] },
  ),
};

export type Web3HostnameRow = Row<typeof web3Tables.web3_hostnames>;
export type Web3ContentListEntryRow = Row<typeof web3Tables.web3_content_list_entries>;
