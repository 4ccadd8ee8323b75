/** A connection in a pool. */
export interface PooledConnection {
  /** The client whose limit it counts towards; undefined for none. */
  readonly client: string | undefined;
  /** Whether it may be closed to make room for another. */
  readonly isExpendable: () => boolean;
  readonly destroy: () => void;
}

export interface PoolLimits {
  /** Most open connections. */
  readonly connectionsMax: number;
  /** Most of them for one client. */
  readonly perClientMax: number;
}

/** The open connections, with limits for all of them and for those of each client. */
export class ConnectionPool {
  readonly #perClientMax: number;
  readonly #all: Group;
  readonly #byClient = new Map<string, Group>();

  constructor({ connectionsMax, perClientMax }: PoolLimits) {
    this.#perClientMax = perClientMax;
    this.#all = new Group(connectionsMax);
  }

  /**
   * Adds a connection. At a limit it closes the connection that has been expendable for longest; returns false, without
   * adding, if there is none.
   */
  add(connection: PooledConnection): boolean {
    const { client } = connection;
    const own =
      client === undefined ? undefined : (this.#byClient.get(client) ?? new Group(this.#perClientMax));
    const groups = own === undefined ? [this.#all] : [own, this.#all];
    for (const group of groups) if (!this.#makeRoom(group)) return false;
    if (own !== undefined && client !== undefined) this.#byClient.set(client, own);
    for (const { open } of groups) open.add(connection);
    this.update(connection);
    return true;
  }

  /** Must be called when `isExpendable` of a connection changes. */
  update(connection: PooledConnection): void {
    const { client } = connection;
    const isExpendable = connection.isExpendable();
    this.#all.update(connection, isExpendable);
    if (client !== undefined) this.#byClient.get(client)?.update(connection, isExpendable);
  }

  remove(connection: PooledConnection): void {
    for (const { open, expendable } of this.#groupsOf(connection)) {
      open.delete(connection);
      expendable.delete(connection);
    }
    const { client } = connection;
    if (client !== undefined && this.#byClient.get(client)?.open.size === 0) this.#byClient.delete(client);
  }

  #makeRoom(group: Group): boolean {
    if (!group.isFull) return true;
    const connection = group.takeExpendable();
    if (connection === undefined) return false;
    this.remove(connection);
    connection.destroy();
    return true;
  }

  #groupsOf({ client }: PooledConnection): readonly Group[] {
    const own = client === undefined ? undefined : this.#byClient.get(client);
    return own === undefined ? [this.#all] : [own, this.#all];
  }
}

/** Connections that share a limit. */
class Group {
  readonly #max: number;
  readonly open = new Set<PooledConnection>();
  /** The one that has been expendable for longest comes first. */
  readonly expendable = new Set<PooledConnection>();

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.open.size >= this.#max;
  }

  update(connection: PooledConnection, isExpendable: boolean): void {
    this.expendable.delete(connection);
    if (isExpendable && this.open.has(connection)) this.expendable.add(connection);
  }

  /** Asks once more, as a connection can cease to be expendable without an `update`. */
  takeExpendable(): PooledConnection | undefined {
    for (const connection of this.expendable) {
      this.expendable.delete(connection);
      if (connection.isExpendable()) return connection;
    }
    return undefined;
  }
}
