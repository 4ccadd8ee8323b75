import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import {
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type Driver,
  type PostgresDialectConfig,
} from "kysely";
import { Client, Pool } from "pg";

import { fromAnnouncement, Publication, toAnnouncement, type ChangeListener } from "./changes.ts";
import { guardTransaction, refuseInsideTransaction, type Database, type StoreWaits } from "./database.ts";
import { isTransientConflict } from "./errors.ts";
import { applyMigrations, isMigrated, refuseDevelopmentStore } from "./migrations.ts";
import { channel, PostgresWatch } from "./postgres-watch.ts";
import { SharedTransactions, type SharedTransactionsOptions } from "./shared-transactions.ts";
import { statement } from "./statement.ts";
import type { Db, Tables } from "./tables.ts";

const poolConnectionsMax = 10;
const connectTimeoutMs = 5_000;
const conflictRetries = { most: 5, waitMs: 10 };
/** An arbitrary number that is not locked otherwise in this database. */
const exclusiveLockId = 2_050_911_873;

interface PostgresOptions extends Pick<StoreWaits, "connectionWaitMs" | "silenceMsMax"> {
  readonly connectionsMax?: number;
}

/** Opens a PostgreSQL database by its URL. Connections are opened when they are needed, and again when lost. */
export function openPostgres(
  url: string,
  {
    connectionsMax = poolConnectionsMax,
    connectionWaitMs = connectTimeoutMs,
    silenceMsMax,
  }: PostgresOptions = {},
): Database {
  const sockets = new Set<Socket>();
  const openSocket = (silence?: number): Socket => {
    const socket = silence === undefined ? new Socket() : socketEndingSilent(silence);
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket));
  };
  const openPool = (max: number, silence?: number): Pool => {
    const pool = new Pool({
      connectionString: url,
      pipeline: true,
      max,
      connectionTimeoutMillis: connectionWaitMs,
      application_name: "zoneward",
      stream: () => openSocket(silence),
    });
    // The pool drops an idle connection that breaks. Without a listener its error event would end the process.
    pool.on("error", () => undefined);
    // A connection that breaks in use fails its query. The pool does not listen to it then.
    pool.on("connect", (client) => client.on("error", () => undefined));
    return pool;
  };
  const pool = openPool(connectionsMax, silenceMsMax);
  const config: PostgresDialectConfig = { pool };
  const read = new Kysely<Tables>({ dialect: new GuardedPostgresDialect(config) });
  const write = new Kysely<Tables>({ dialect: new PostgresDialect(config) });
  const runAlone: SharedTransactionsOptions["runAlone"] = async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      const publication = new Publication();
      try {
        const result = await write.transaction().execute(async (tx) => {
          const done = await work(tx, publication);
          await publish(tx, publication);
          return done;
        });
        return { result, publication };
      } catch (error) {
        if (!isTransientConflict(error) || attempt > conflictRetries.most) throw error;
        await delay(conflictRetries.waitMs * attempt);
      }
    }
  };
  const publish = async (tx: Db, publication: Publication): Promise<void> => {
    await publication.raise(tx);
    if (publication.isEmpty) return;
    await announce(tx, { channel, announcement: toAnnouncement(instance, publication.changes) });
  };
  const shared = new SharedTransactions({ pool, publish, runAlone });
  const transaction: Database["transaction"] = async (work, group) => {
    const committed = await guardTransaction(() =>
      group === undefined ? runAlone(work) : shared.run(group, work),
    );
    // Listeners are no part of the transaction.
    if (!committed.publication.isEmpty) tell(committed.publication.changes);
    return committed.result;
  };
  const snapshot: Database["snapshot"] = (work) =>
    read.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
  const exclusiveTransaction: Database["exclusiveTransaction"] = (work) =>
    transaction(async (tx, publication) => {
      await excludeOthers(tx);
      return work(tx, publication);
    });
  const listeners: ChangeListener[] = [];
  const tell: ChangeListener = (changes) => {
    for (const listener of listeners) listener(changes);
  };
  /** By which it knows its own announcements: its listeners were told at the commit. */
  const instance = randomUUID();
  const watch = new PostgresWatch(
    () =>
      new Client({
        connectionString: url,
        connectionTimeoutMillis: connectTimeoutMs,
        application_name: "zoneward watch",
        stream: () => openSocket(),
      }),
    (text) => {
      const { by, changes } = text === undefined ? {} : fromAnnouncement(text);
      if (by !== instance) tell(changes);
    },
  );
  let ended: Promise<void> | undefined;
  const endPool = (): Promise<void> => (ended ??= pool.end());
  const giveUp = (): void => {
    void endPool();
    for (const socket of sockets) socket.destroy(noAnswer());
  };

  return {
    read,
    transaction,
    snapshot,
    exclusiveTransaction,
    migrate: async () => {
      if (await isMigrated(read)) return;
      await refuseDevelopmentStore(read);
      // A change of a large table, or of another process, is silent for as long as it takes.
      const patient = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(1) }) });
      try {
        await patient.transaction().execute(async (tx) => {
          await excludeOthers(tx);
          await applyMigrations(tx, "postgres");
        });
      } finally {
        await patient.destroy();
      }
    },
    ping: async () => void (await sql`select 1`.execute(read)),
    onChange: (listener) => {
      listeners.push(listener);
      watch.start();
    },
    runAlone: (task, work) => watch.runAlone(task, work),
    location: { engine: "postgres", url },
    lend: (work) => work(),
    images: async () => {
      const { hasImages } = await import("./sqlite-images.ts");
      const { postgresImages } = await import("./postgres-images.ts");
      return hasImages ? postgresImages({ snapshot, exclusiveTransaction }) : undefined;
    },
    prepareToClose: () => watch.onLoss(giveUp),
    close: async () => {
      listeners.length = 0;
      await watch.close();
      await endPool();
    },
  };
}

/** Until the end of the transaction. */
async function excludeOthers(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${exclusiveLockId})`.execute(tx);
}

/** Every instance hears it at the commit. */
const announce = statement<{ channel: string; announcement: string }>(
  "select pg_notify(:channel, :announcement)",
);

/** A server that is cut off without a word would otherwise hold a query for a quarter of an hour. */
function socketEndingSilent(silenceMsMax: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMsMax, () => void socket.destroy(noAnswer()));
}

function noAnswer(): Error {
  return Object.assign(new Error("the database does not answer"), { code: "ETIMEDOUT", syscall: "read" });
}

class GuardedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new GuardedPostgresDriver(this.#config);
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInsideTransaction();
    return super.acquireConnection();
  }
}
