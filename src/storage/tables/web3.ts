import type { Timestamp } from "../columns.ts";

/** A name of a zone that stands for a gateway. */
export interface Web3HostnameRow {
  id: string;
  zone_id: string;
  /** ASCII, lower case. */
  name: string;
  target: "ethereum" | "ipfs" | "ipfs_universal_path";
  description: string;
  dnslink: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** Content that the gateway of a Web3 hostname must not serve. */
export interface Web3ContentListEntryRow {
  id: string;
  hostname_id: string;
  type: "cid" | "content_path";
  /** As the caller wrote it. */
  content: string;
  description: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}
