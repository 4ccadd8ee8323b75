import { table, text, timestamp } from "./table.ts";

export const serverTables = {
  /** The server settings that zones were last served with; at most one row. */
  served_with: table({
    settings_digest: text(),
  }),
  /** Has a row while the store is being filled by a copy. */
  unfinished_copies: table({ started_on: timestamp() }, { isCopied: false }),
};
