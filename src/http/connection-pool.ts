import { Link, LinkedList } from "../core/linked-list.ts";

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
    for (const { open } of groups) open.set(connection, new Link(connection));
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
    for (const group of this.#groupsOf(connection)) group.remove(connection);
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
  /** Each with its place among those that are expendable. */
  readonly open = new Map<PooledConnection, Link<PooledConnection>>();
  /** The one that has been expendable for longest comes first. */
  readonly #expendable = new LinkedList<PooledConnection>();

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.open.size >= this.#max;
  }

  update(connection: PooledConnection, isExpendable: boolean): void {
    const link = this.open.get(connection);
    if (link === undefined) return;
    this.#expendable.remove(link);
    if (isExpendable) this.#expendable.add(link);
  }

  remove(connection: PooledConnection): void {
    this.update(connection, false);
    this.open.delete(connection);
  }

  /** Asks once more, as a connection can cease to be expendable without an `update`. */
  takeExpendable(): PooledConnection | undefined {
    for (let link = this.#expendable.first; link !== undefined; link = this.#expendable.first) {
      this.#expendable.remove(link);
      if (link.value.isExpendable()) return link.value;
    }
    return undefined;
  }
}
