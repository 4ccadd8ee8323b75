import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

import {
  DefaultQueryExecutor,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type FunctionNode,
  type QueryCompiler,
  type QueryResult,
  type SelectQueryNode,
} from "kysely";

import { LruMap } from "../../core/lru-map.ts";

export interface NodeSqliteOptions {
  readonly database: DatabaseSync;
  /** Called before each query. It may throw, or answer a promise that the query waits for. */
  readonly beforeUse?: () => Promise<void> | undefined;
  /** Waits for the turn of the connection, and keeps it until `work` ends. */
  readonly turn?: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Kysely on one connection of `node:sqlite`; the caller runs the transactions on it. Queries use it directly,
 * because Kysely's acquiring and releasing of connections costs more than the query.
 */
export function kyselyOnSqlite<Tables>(options: NodeSqliteOptions): Kysely<Tables> {
  const dialect = new NodeSqliteDialect(options);
  const driver = dialect.createDriver();
  const { turn } = options;
  const provider: ConnectionProvider = {
    provideConnection: async (work) => {
      const connection = await driver.acquireConnection();
      return turn === undefined ? work(connection) : turn(() => work(connection));
    },
  };
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}

class NodeSqliteDialect implements Dialect {
  readonly #options: NodeSqliteOptions;

  constructor(options: NodeSqliteOptions) {
    this.#options = options;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#options);
  }

  createQueryCompiler(): QueryCompiler {
    return new NodeSqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new NodeSqliteAdapter();
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- Kysely's own signature
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // Calls are synchronous, so they cannot interleave on the connection, and no mutex is needed.
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteQueryCompiler extends SqliteQueryCompiler {
  // `for update` is for PostgreSQL. The only writer of SQLite needs no row locks.
  protected override visitSelectQuery(node: SelectQueryNode): void {
    const { endModifiers: _, ...rest } = node;
    super.visitSelectQuery(rest);
  }

  // SQLite has the same function by another name.
  protected override visitFunction(node: FunctionNode): void {
    super.visitFunction(node.func === "strpos" ? { ...node, func: "instr" } : node);
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection;
  readonly #options: NodeSqliteOptions;

  constructor(options: NodeSqliteOptions) {
    this.#options = options;
    this.#connection = new NodeSqliteConnection(options.database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const wait = this.#options.beforeUse?.();
    if (wait !== undefined) await wait;
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#options.database.exec("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    this.#options.database.exec("commit");
  }

  async rollbackTransaction(): Promise<void> {
    this.#options.database.exec("rollback");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** Number of statements that stay prepared. */
const statementsMax = 500;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** Names of its columns; empty if it returns no rows. */
  readonly columns: readonly string[];
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LruMap<string, PreparedStatement>(statementsMax);

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, columns } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (columns.length > 0) return { rows: toObjects(statement.all(...parameters), columns) as R[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Not from the cache: a statement that is being stepped through cannot serve a second caller.
    const statement = this.#database.prepare(query.sql);
    for (const row of statement.iterate(...(query.parameters as SQLInputValue[]))) {
      yield { rows: [row as R] };
    }
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    if (prepared.columns.length > 0) statement.setReturnArrays(true);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** `node:sqlite` itself makes objects without a prototype, which take three times the memory and are slower. */
function toObjects(rows: unknown, columns: readonly string[]): Record<string, SQLOutputValue>[] {
  return (rows as SQLOutputValue[][]).map((values) => {
    const row: Record<string, SQLOutputValue> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = values[at] as SQLOutputValue;
    return row;
  });
}
