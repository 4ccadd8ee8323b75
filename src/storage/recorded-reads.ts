import { createHash } from "node:crypto";

import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from "kysely";

import type { Db, Tables } from "./tables.ts";

/** The rows that PostgreSQL returned, by query. They are JSON, as all columns are text or numbers. */
export type RecordedReads = Readonly<Record<string, readonly unknown[]>>;

/** A database that records the rows of each query, which `execute` answers; the same query is asked once. */
export function recordReads(execute: Execute): { readonly db: Db; readonly reads: RecordedReads } {
  const reads: Record<string, readonly unknown[]> = {};
  const recording = readingBy(async (query) => {
    const key = keyOf(query);
    const rows = (reads[key] ??= (await execute(query)).rows);
    return { rows: [...rows] };
  });
  return { db: recording, reads };
}

/** Answers what was recorded. Throws for any other query. */
export function replayReads(reads: RecordedReads): Db {
  return readingBy(async (query) => {
    const rows = reads[keyOf(query)];
    if (rows === undefined) throw new Error("a query was not recorded, perhaps by another version");
    return { rows: [...rows] };
  });
}

type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

function readingBy(execute: Execute): Db {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => (await execute(query)) as QueryResult<Row>,
    streamQuery: () => {
      throw new Error("nothing is streamed from recorded reads");
    },
  };
  const nothing = (): Promise<void> => Promise.resolve();
  const noTransaction = (): Promise<never> =>
    Promise.reject(new Error("recorded reads have no transactions"));
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: nothing,
      acquireConnection: () => Promise.resolve(connection),
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      releaseConnection: nothing,
      destroy: nothing,
    }),
  };
  return new Kysely<Tables>({ dialect });
}

function keyOf({ sql, parameters }: CompiledQuery): string {
  return createHash("sha256")
    .update(JSON.stringify([sql, parameters]))
    .digest("base64url");
}
