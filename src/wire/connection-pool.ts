import { FairList, type FairLink } from "../core/fair-list.ts";

export interface PooledConnection {
  /** The client whose limit it counts towards; undefined for none. */
  readonly client: string | undefined;
  /** Whether it may be closed to make room for another. */
  readonly isExpendable: () => boolean;
  readonly destroy: () => void;
}

export interface PoolLimits {
  readonly connectionsMax: number;
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
   * Adds a connection. At a limit it closes the connection that has been expendable for longest, at that of all one of
   * a client that has at least an equal part of those; returns false, without adding, if there is none.
   */
  add(connection: PooledConnection): boolean {
    const { client } = connection;
    const own =
      client === undefined ? undefined : (this.#byClient.get(client) ?? new Group(this.#perClientMax));
    const groups = own === undefined ? [this.#all] : [own, this.#all];
    for (const group of groups) if (!this.#makeRoom(group)) return false;
    if (own !== undefined && client !== undefined) this.#byClient.set(client, own);
    for (const { open } of groups) open.set(connection, undefined);
    this.update(connection);
    return true;
  }

  /** Must be called when a connection becomes expendable; one that ceases to be is asked before it is closed. */
  update(connection: PooledConnection): void {
    const { client } = connection;
    const isExpendable = connection.isExpendable();
    this.#all.update(connection, isExpendable ? [client ?? ""] : undefined);
    if (client !== undefined) this.#byClient.get(client)?.update(connection, isExpendable ? [] : undefined);
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
  /** Each with its place among those that are expendable, if it is one of them. */
  readonly open = new Map<PooledConnection, FairLink<PooledConnection> | undefined>();
  /** Connections of each client; the one that has been expendable for longest goes first. */
  readonly #expendable = new FairList<PooledConnection>({ weightMax: Infinity });

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.open.size >= this.#max;
  }

  /** `owners`: whose an expendable connection is; undefined for one that is not. */
  update(connection: PooledConnection, owners: readonly string[] | undefined): void {
    if (!this.open.has(connection)) return;
    const link = this.open.get(connection);
    if (link?.isLinked === true) {
      if (owners === undefined) this.#expendable.remove(link);
      else this.#expendable.use(link);
    } else if (owners !== undefined) this.open.set(connection, this.#expendable.add(connection, owners));
  }

  remove(connection: PooledConnection): void {
    this.update(connection, undefined);
    this.open.delete(connection);
  }

  /** Asks once more, as a connection can cease to be expendable without an `update`. */
  takeExpendable(): PooledConnection | undefined {
    for (let link = this.#expendable.next; link !== undefined; link = this.#expendable.next) {
      this.#expendable.remove(link);
      if (link.value.value.isExpendable()) return link.value.value;
    }
    return undefined;
  }
}
