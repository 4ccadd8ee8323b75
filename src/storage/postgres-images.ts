import type { DatabaseSync } from "node:sqlite";

import type { Database, StoreImages } from "./database.ts";
import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import { adoptImage, newImageStore, openImage, serializeStore } from "./sqlite-images.ts";
import { deleteRows, insertRows, rowsOf } from "./table-rows.ts";
import { copiedTables, type Db, type Tables } from "./tables.ts";

/**
 * The images of a PostgreSQL store. They are SQLite databases with the same rows, so that either engine reads
 * the images of the other.
 */
export function postgresImages({
  snapshot,
  exclusiveTransaction,
}: Pick<Database, "snapshot" | "exclusiveTransaction">): StoreImages {
  return {
    take: async () => {
      using store = await newImageStore();
      await snapshot((state) => copyRows(state, on(store)));
      return serializeStore(store);
    },
    put: async (image) => {
      using source = openImage(image);
      await exclusiveTransaction(async (tx, publication) => {
        for (const table of copiedTables.toReversed()) await deleteRows(tx, table, { after: undefined });
        await copyRows(on(source), tx);
        publication.anything();
      });
    },
    adopt: async (image, openSecret) => {
      using store = await newImageStore();
      return await adoptImage(store, image, openSecret);
    },
  };
}

async function copyRows(from: Db, to: Db): Promise<void> {
  for (const table of copiedTables) {
    for await (const rows of rowsOf(from, table)) await insertRows(to, table, rows);
  }
}

function on(database: DatabaseSync): Db {
  return kyselyOnSqlite<Tables>({ database });
}
