import { backup, DatabaseSync } from "node:sqlite";

import { sql } from "kysely";

import type { Sealed } from "./schema/table.ts";
import type { StoreImages } from "./database.ts";
import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import { migrateSqlite } from "./migrations.ts";
import { storedSecrets } from "./sealed-columns.ts";
import type { Db, Tables } from "./tables.ts";

/** The reason why octets cannot become the content of this store; the message is for their sender. */
export class ImageError extends Error {}

/** All pages in one step. */
const pagesAtOnce = 2 ** 31 - 1;
/**
 * Offsets of the write and read versions in a database file
 * (https://sqlite.org/fileformat.html#file_format_version_numbers).
 */
const versionsAt = [18, 19] as const;
const rollbackJournal = 1;

/**
 * The images of an open store; `file` is the name under which other connections open it, and `alone` runs
 * work while nobody else writes.
 */
export function sqliteImages(
  connection: DatabaseSync,
  file: string,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): StoreImages {
  return {
    take: () => alone(async () => serializeStore(connection)),
    put: (image) =>
      alone(async () => {
        using source = openImage(image);
        await backup(source, file, { rate: pagesAtOnce });
      }),
    adopt: (image, openSecret) => adoptImage(connection, image, openSecret),
  };
}

/** Whether this Node.js has what images need: 24.16 or later. */
export const hasImages = "serialize" in DatabaseSync.prototype;

/** An empty store in memory. */
export async function newImageStore(): Promise<DatabaseSync> {
  const database = new DatabaseSync(":memory:");
  await migrateSqlite(database);
  return database;
}

export function serializeStore(connection: DatabaseSync): Uint8Array {
  const image = connection.serialize();
  // In memory there is no write-ahead log.
  for (const at of versionsAt) image[at] = rollbackJournal;
  return image;
}

export function openImage(image: Uint8Array): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  try {
    database.deserialize(image);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Does the same as `StoreImages.adopt`; `connection` is to a store of this version. */
export async function adoptImage(
  connection: DatabaseSync,
  image: Uint8Array,
  openSecret: (sealed: Sealed, place: string) => string,
): Promise<Uint8Array> {
  using database = openSound(image);
  const db: Db = kyselyOnSqlite<Tables>({ database });
  await migrateSqlite(database).catch((error: unknown) => {
    throw new ImageError("it is not a store of Zoneward", { cause: error });
  });
  // Refuses a different schema, such as a trigger that would run here.
  if (schemaOf(database) !== schemaOf(connection)) {
    throw new ImageError("its tables are not those of this version of Zoneward");
  }
  for await (const secrets of storedSecrets(db)) {
    for (const { sealed, place } of secrets) {
      try {
        openSecret(sealed, place);
      } catch (error) {
        const advice = "start both servers with the same `secret_key`";
        throw new ImageError(`its private keys are encrypted with another key: ${advice}`, { cause: error });
      }
    }
  }
  await sql`vacuum`.execute(db);
  return serializeStore(database);
}

function openSound(image: Uint8Array): DatabaseSync {
  try {
    const database = openImage(image);
    const { quick_check: found } = database.prepare("pragma quick_check(1)").get() ?? {};
    if (found === "ok") return database;
    database.close();
  } catch {
    // The octets are no database at all.
  }
  throw new ImageError("it is damaged, or not a store of Zoneward");
}

function schemaOf(database: DatabaseSync): string {
  return JSON.stringify(
    database.prepare("select type, name, sql from sqlite_schema order by type, name").all(),
  );
}
