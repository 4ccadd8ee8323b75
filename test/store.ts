import { createHash } from "node:crypto";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { sql } from "kysely";

import { superAdministratorId } from "../src/core/policy/roles.ts";
import { toJson, toTimestamp } from "../src/storage/columns.ts";
import { openDatabase, type Database, type DatabaseLocation } from "../src/storage/database.ts";
import type { Db, MembershipRow, ZoneRow } from "../src/storage/tables.ts";
import { startOfTime, type TestApp } from "./harness.ts";

const now = toTimestamp(startOfTime);

/** The store of a running server, opened once more as another process would. */
export async function openStore(t: TestContext, app: TestApp): Promise<Database> {
  const db = await openDatabase(locationOf(app));
  t.after(() => db.close());
  return db;
}

/** Reads or changes the store of a running server from beside it. */
export async function besideServer<T>(app: TestApp, work: (tx: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase(locationOf(app));
  try {
    return await db.transaction(work);
  } finally {
    await db.close();
  }
}

/** All rows of all tables, but for when a token was last used: no request waits for that. */
export async function storedRows(app: TestApp): Promise<Readonly<Record<string, readonly string[]>>> {
  return besideServer(app, async (tx) => {
    const tables = await tx.introspection.getTables();
    const rows = tables.map(async ({ name }) => {
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tx);
      const texts = found.rows.map((row) => JSON.stringify({ ...row, last_used_on: undefined }));
      return [name, texts.toSorted()] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  });
}

function locationOf({ config }: TestApp): DatabaseLocation {
  if (config.database !== undefined) return { engine: "postgres", url: config.database };
  return { engine: "sqlite", file: join(config.data, "zoneward.sqlite") };
}

/** Adds an account, foreign to the owner unless it gets a membership. The answer is its id. */
export async function addAccount(
  app: TestApp,
  name: string,
  membership?: MembershipRow["status"],
  roleId: string = superAdministratorId,
): Promise<string> {
  const id = idOf(`account ${name}`);
  await besideServer(app, async (tx) => {
    await tx
      .insertInto("accounts")
      .values({ id, name, name_folded: name.toLowerCase(), created_on: now })
      .execute();
    if (membership === undefined) return;
    await tx
      .insertInto("memberships")
      .values({
        id: idOf(`membership ${name}`),
        account_id: id,
        user_id: app.owner.userId,
        status: membership,
        email_folded: app.owner.email,
        roles: toJson([roleId]),
        invited_by: null,
        expires_on: null,
        created_on: now,
      })
      .execute();
  });
  return id;
}

/** Makes a zone and gives it what no request could: a foreign account, a status. The answer is its id. */
export async function addZone(app: TestApp, name: string, row: Partial<ZoneRow>): Promise<string> {
  const id = await app.createZone(name);
  await besideServer(app, (tx) => tx.updateTable("zones").set(row).where("id", "=", id).execute());
  return id;
}

export function idOf(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
