import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../config/settings.ts";
import { complaintOf } from "../files/ownership.ts";
import type { Context } from "../operation/context.ts";
import type { TokenContext } from "../resources/tokens/tokens.ts";
import { createSecretBox, type SecretBox, type SecretKeySource } from "../secrets/secret-box.ts";
import { secretKeyFileName, storeFileName } from "../storage/data-directory.ts";
import type { Database, DatabaseLocation, StoreWaits } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { refuseUnfinishedCopy } from "../storage/unfinished-copies.ts";

type StoreSettings = Pick<Config, "ephemeral" | "database" | "data">;
type SecretSettings = StoreSettings & Pick<Config, "secret_key" | "secret_key_file">;

/**
 * Opens the store of the settings and applies the migrations that it lacks. An error says what was tried, for the
 * operator.
 */
export async function openStore(settings: StoreSettings, waits?: StoreWaits): Promise<Database> {
  const location = locationOf(settings);
  return explainFailure(`opening ${nameOf(location)}`, async () => {
    const store = await openDatabase(location, waits);
    try {
      await store.migrate();
      await refuseUnfinishedCopy(store);
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  });
}

/** The same for a command, with or without a running server; it never creates a store. */
export async function openExistingStore(settings: StoreSettings): Promise<Database> {
  const location = locationOf(settings);
  if (location.engine === "memory") throw new Error("only the server itself can use a store in memory");
  if (location.engine === "sqlite" && !existsSync(location.file)) {
    throw new Error(`there is no store at ${location.file}`);
  }
  return openStore(settings);
}

/** Generates ids; those of the audit log begin with the time. */
interface IdSource {
  readonly newId?: (() => string) | undefined;
  readonly newLogId?: ((now: Date) => string) | undefined;
}

/** The context of operations on a store; a test fixes the clock and the ids. */
export function createContext(
  db: Database,
  now: () => Date = () => new Date(),
  { newId: freshId = () => newId(now()), newLogId = uuidV7Generator() }: IdSource = {},
): Context {
  return { db, now, newId: freshId, newLogId: () => newLogId(now()) };
}

export function tokenSettingsOf(config: Config): TokenContext["tokenSettings"] {
  return {
    vendor: config.vendor,
    initialToken: config.initial_token,
    userTokenQuota: config.user_token_quota,
    accountTokenQuota: config.account_token_quota,
  };
}

export function locationOf({ ephemeral, database, data }: StoreSettings): DatabaseLocation {
  if (ephemeral) return { engine: "memory" };
  if (database !== undefined) return { engine: "postgres", url: database };
  return { engine: "sqlite", file: join(data, storeFileName) };
}

export function createSecrets(settings: SecretSettings): SecretBox {
  return createSecretBox(secretKeySourceOf(settings));
}

/**
 * The place of the secret key. Instances that share a PostgreSQL database also share the key, so none of
 * them may generate it.
 */
export function secretKeySourceOf({
  secret_key: keys,
  secret_key_file: file,
  ephemeral,
  database,
  data,
}: SecretSettings): SecretKeySource {
  if (keys !== undefined) return { kind: "given", keys };
  if (file !== undefined) return { kind: "file", file };
  if (ephemeral) return { kind: "memory" };
  return database === undefined ? { kind: "made", file: join(data, secretKeyFileName) } : { kind: "none" };
}

/** For messages to the operator; never with a password. */
export function nameOf(location: DatabaseLocation): string {
  switch (location.engine) {
    case "memory":
      return "a database in memory";
    case "sqlite":
      return location.file;
    case "postgres":
      return `PostgreSQL at ${new URL(location.url).host || "a local socket"}`;
  }
}

/** Runs `work`; if it fails for a reason outside of the program, the error tells the operator what was tried. */
export async function explainFailure<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "another program listens there";
  if (code === "EEXIST" || code === "ENOTDIR") return "its directory is not a directory";
  return error.message;
}

/**
 * Refuses to start on what somebody else can write: the data directory holds what the server serves, and the keys for
 * it. A command on the host may be an administrator's, and is not held up. Throws an Error that says what is wrong.
 */
export function refuseForeignFiles({
  data,
  ephemeral,
  secret_key_file,
}: Pick<Config, "data" | "ephemeral" | "secret_key_file">): void {
  for (const path of [ephemeral ? undefined : data, secret_key_file]) {
    const complaint = path === undefined ? undefined : complaintOf(path);
    if (complaint === undefined) continue;
    throw new Error(
      `${complaint}: the server trusts what it reads there; chown and chmod it, or name another`,
    );
  }
}

const countMax = 0xf_ff;

/**
 * A new id: 32 hexadecimal characters, the first 12 the time in milliseconds, the others random. Growing ids keep the
 * indexes that end in them compact, and keep rows that compare equal in the order of their creation.
 */
function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return time + randomUUID().replaceAll("-", "").slice(12);
}

/**
 * Makes UUIDs, version 7 (RFC 9562): the first 48 bits are the time in milliseconds, the next ones count within it
 * (its section 6.2, method 1), so that each is greater than the one before, whatever the clock does.
 */
export function uuidV7Generator(): (now: Date) => string {
  let milliseconds = 0;
  let count = 0;
  return (now) => {
    count += 1;
    if (now.getTime() > milliseconds || count > countMax) {
      milliseconds = Math.max(now.getTime(), milliseconds + 1);
      count = 0;
    }
    const time = milliseconds.toString(16).padStart(12, "0");
    const rest = randomUUID().slice(18);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}${rest}`;
  };
}
