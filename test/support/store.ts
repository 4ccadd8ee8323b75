import { createHash } from "node:crypto";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { sql } from "kysely";

import { createContext, locationOf } from "../../src/process/open-store.ts";
import type { Policy } from "../../src/core/policy/grants.ts";
import { superAdministratorId } from "../../src/core/policy/roles.ts";
import { createSignInLink } from "../../src/resources/sessions/sessions.ts";
import { createUser } from "../../src/resources/users/users.ts";
import { hashSecret, newTokenSecret } from "../../src/secrets/secrets.ts";
import { toJson, toTimestamp } from "../../src/storage/columns.ts";
import type { Publication } from "../../src/storage/changes.ts";
import { storeFileName } from "../../src/storage/data-directory.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { copiedTables, type Db } from "../../src/storage/tables.ts";
import type { MembershipRow } from "../../src/storage/schema/accounts.ts";
import type { ZoneRow } from "../../src/storage/schema/zones.ts";
import { recordedChanges } from "./compared-engines.ts";
import { connectionWaitMs, startOfTime, type TestApp } from "./harness.ts";

const now = toTimestamp(startOfTime);
const nextWeek = toTimestamp(new Date(startOfTime.getTime() + 7 * 24 * 60 * 60 * 1_000));

/** The store of a running server, opened once more as another process would. */
export async function openStore(t: TestContext, app: TestApp): Promise<Database> {
  const db = await openDatabase(locationOf(app.config), { connectionWaitMs });
  t.after(() => db.close());
  return db;
}

/** A server of `startTestApp`, or the settings of any other. */
type Server = Pick<TestApp, "config"> & Partial<Pick<TestApp, "storeBeside">>;

/** Changes the store of a running server from beside it. Anything may have changed afterwards. */
export function besideServer<T>(
  app: Server,
  work: (tx: Db, publication: Publication) => Promise<T>,
): Promise<T> {
  return withStore(app, (db) =>
    db.transaction((tx, publication) => {
      publication.anything();
      return work(tx, publication);
    }),
  );
}

/** Reads the store of a running server from beside it, and announces nothing. */
export function readBesideServer<T>(app: Server, read: (db: Db) => Promise<T>): Promise<T> {
  return withStore(app, (db) => read(db.read));
}

async function withStore<T>(app: Server, work: (db: Database) => Promise<T>): Promise<T> {
  if (app.storeBeside !== undefined) return work(await app.storeBeside());
  const db = await openDatabase(locationOf(app.config), { connectionWaitMs });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * All that a request could change, to be compared before and after: the statements that have changed rows, or where
 * they are not recorded, the rows of all tables. How tokens were used is left out: no request waits for that.
 */
export async function stateOf(app: Server): Promise<unknown> {
  const recorded = recordedChanges(join(app.config.data, storeFileName));
  return (
    recorded?.filter(({ text }) => !/"?token_usage\b|last_used_on/.test(text)) ?? (await storedRows(app))
  );
}

const comparedTables = copiedTables.filter((name) => name !== "token_usage");

/** All rows of all tables, but for how tokens were used: no request waits for that. */
export function storedRows(app: Server): Promise<Readonly<Record<string, readonly string[]>>> {
  return withStore(app, async (db) => {
    const found = await db.transaction(db.location.engine === "postgres" ? rowsAtOnce : rowsOfEach);
    const texts: Record<string, string[]> = Object.fromEntries(comparedTables.map((name) => [name, []]));
    for (const { name, row } of found) texts[name]?.push(JSON.stringify({ ...row, last_used_on: undefined }));
    for (const ofTable of Object.values(texts)) ofTable.sort();
    return texts;
  });
}

interface NamedRow {
  readonly name: string;
  readonly row: object;
}

/** On a server each statement is a round trip. */
async function rowsAtOnce(db: Db): Promise<readonly NamedRow[]> {
  const selects = comparedTables.map(
    (name) => sql`select ${sql.lit(name)} as name, row_to_json(t) as row from ${sql.table(name)} as t`,
  );
  return (await sql<NamedRow>`${sql.join(selects, sql` union all `)}`.execute(db)).rows;
}

async function rowsOfEach(db: Db): Promise<readonly NamedRow[]> {
  const tables = comparedTables.map(async (name) => {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    return rows.map((row) => ({ name, row }));
  });
  return (await Promise.all(tables)).flat();
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
        expires_on: membership === "accepted" ? null : nextWeek,
        created_on: now,
      })
      .execute();
  });
  return id;
}

/** A user beside the owner, and the headers by which it is known. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly headers: Record<string, string>;
}

/** Makes a user as `zoneward user create` does, a member of an account where one is given. */
export function addUser(
  app: TestApp,
  email: string,
  membership?: { readonly account: string; readonly role?: string },
): Promise<TestUser> {
  return withStore(app, async (db) => {
    const actor = { interface: "CLI" } as const;
    const user = { email, ...(membership && { membership }) };
    const { id, key } = await createUser(
      createContext(db, () => startOfTime),
      actor,
      user,
    );
    return { id, email, headers: { "x-auth-email": email, "x-auth-key": key } };
  });
}

/** Makes a sign-in link as the operator does on the host; the answer is its token. */
export function addSignInLink(app: TestApp, email: string): Promise<string> {
  return withStore(app, (db) => {
    const context = createContext(db, () => startOfTime);
    return createSignInLink(context, { interface: "CLI" }, email);
  });
}

/** Gives a user a token without asking anybody; the answer is the headers that carry it. */
export async function addToken(
  app: TestApp,
  userId: string,
  policies: readonly Omit<Policy, "id" | "effect">[],
): Promise<{ authorization: string }> {
  const secret = newTokenSecret();
  await besideServer(app, (tx) =>
    tx
      .insertInto("tokens")
      .values({
        id: idOf(`token ${secret}`),
        user_id: userId,
        account_id: null,
        name: "a token",
        status: "active",
        secret_hash: hashSecret(secret),
        policies: toJson(
          policies.map((policy, index) => ({ id: String(index), effect: "allow", ...policy })),
        ),
        grantors: null,
        condition: null,
        not_before: null,
        expires_on: null,
        issued_on: now,
        modified_on: now,
        last_used_on: null,
      })
      .execute(),
  );
  return { authorization: `Bearer ${secret}` };
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
