import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

import { clientNetwork } from "../core/net/client-network.ts";

export interface SocketAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

export type Transport = "udp" | "tcp";

/** A message with its sender. */
export interface Query {
  readonly bytes: Buffer;
  /** The IP address of the sender, as Node writes it. */
  readonly address: string;
  readonly transport: Transport;
}

/** One message, the messages of a transfer, or no response. */
export type Response = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Answers a message; never throws or rejects. */
export type Respond = (query: Query) => Response | Promise<Response>;

/** Whether a response is a transfer, whose messages need a connection. */
export function isTransfer(response: Response): response is AsyncIterable<Uint8Array> {
  return response !== undefined && !(response instanceof Uint8Array);
}

const receiveBufferBytes = 4 * 1024 * 1024;

/**
 * Answers datagrams at an address. With `sharesPort`, several sockets may bind the address, and the operating
 * system divides the senders among them. Throws the errors of binding the address.
 */
export async function listenOnUdp(
  { host, port }: SocketAddress,
  respond: Respond,
  sharesPort = false,
): Promise<{ close(): Promise<void> }> {
  const isIpv6 = host.includes(":");
  const socket = createSocket({
    type: isIpv6 ? "udp6" : "udp4",
    ipv6Only: isIpv6,
    reusePort: sharesPort,
    // Responses go to IP addresses. Node's default look-up would delay each of them by a turn of the event loop.
    lookup: (address, _, found) => found(null, address, isIpv6 ? 6 : 4),
  });
  const pending = new Set<Promise<void>>();
  socket.on("message", (bytes, { address, port: to }: RemoteInfo) => {
    if (to === 0) return;
    const answer = respond({ bytes, address, transport: "udp" });
    if (!(answer instanceof Promise)) {
      if (answer !== undefined && !isTransfer(answer)) socket.send(answer, to, address);
      return;
    }
    const send = async (): Promise<void> => {
      const late = await answer;
      if (late !== undefined && !isTransfer(late))
        await new Promise<void>((sent) => socket.send(late, to, address, () => sent()));
    };
    const done = send().finally(() => pending.delete(done));
    pending.add(done);
  });
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening;
  // The socket reports each response that it cannot send as an error.
  socket.on("error", () => undefined);
  // The operating system may set a smaller buffer.
  socket.setRecvBufferSize(receiveBufferBytes);
  return {
    close: async () => {
      socket.removeAllListeners("message");
      await Promise.all(pending);
      socket.close();
      await once(socket, "close");
    },
  };
}

export interface TcpLimits {
  readonly connectionsMax: number;
  readonly perClientMax: number;
  /** Milliseconds in which a client must send a whole message or read answers. */
  readonly idleMs: number;
  /** Milliseconds that a transfer may take, its wait for a place included; ten minutes if left out. */
  readonly transferMsMax?: number;
}

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** The time at which the client last completed a message or read its answers. */
  activeAt: number;
  /** The number of answers that have not been sent completely. */
  waiting: number;
}

const sweepMs = 500;
/** A connection with this many unread octets of answers is not read any further. */
const unreadOctetsMax = 64 * 1024;
const waitingMax = 100;

/**
 * Answers messages over TCP (RFC 7766). A client may send further messages before it has the earlier answers.
 * The number of connections is bounded, in all and of each client: a new connection closes the one that has been
 * idle for longest, of the client itself or of the one with the most. Throws the errors of binding the address.
 */
export async function listenOnTcp(
  { host, port }: SocketAddress,
  respond: Respond,
  { connectionsMax, perClientMax, idleMs, transferMsMax = 600_000 }: TcpLimits,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  /** The connection that has been idle for longest comes first. */
  const connections = new Set<Connection>();
  const touch = (connection: Connection): void => {
    connection.activeAt = performance.now();
    if (connections.delete(connection)) connections.add(connection);
  };
  const makeRoom = (client: string): void => {
    const own = [...connections].filter((one) => one.client === client);
    const isFull = connections.size >= connectionsMax;
    const [ending] = own.length >= perClientMax ? own : isFull ? mostOfOne(connections) : [];
    if (ending === undefined) return;
    connections.delete(ending);
    ending.socket.destroy();
  };

  let isClosing = false;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isClosing) {
      socket.destroy();
      return;
    }
    const client = clientNetwork(address);
    makeRoom(client);
    const connection: Connection = { socket, client, activeAt: performance.now(), waiting: 0 };
    connections.add(connection);
    const framer = new LengthFramer();
    let hasEnded = false;
    const endWhenDone = (): void => {
      if ((hasEnded || isClosing) && connection.waiting === 0) socket.end();
    };
    const mayRead = (): boolean => socket.writableLength < unreadOctetsMax && connection.waiting < waitingMax;
    const send = (answer: Uint8Array): void => {
      if (socket.destroyed) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.cork();
      socket.write(length);
      socket.write(answer);
      socket.uncork();
    };
    /** Sends a late answer. A transfer pauses while the client does not read, and ends when the client is gone. */
    const deliver = async (late: Promise<Response> | AsyncIterable<Uint8Array>): Promise<void> => {
      const response = await late;
      if (response === undefined) return;
      if (response instanceof Uint8Array) {
        send(response);
        return;
      }
      // A client that reads very slowly keeps a place from others.
      const deadline = setTimeout(() => socket.destroy(), transferMsMax).unref();
      try {
        for await (const message of response) {
          send(message);
          await (socket.writableLength < unreadOctetsMax ? nextTurn() : drained(socket));
          if (socket.destroyed) return;
        }
      } finally {
        clearTimeout(deadline);
      }
    };
    const answerAll = (): void => {
      while (mayRead()) {
        const bytes = framer.next();
        if (bytes === undefined) {
          socket.resume();
          endWhenDone();
          return;
        }
        touch(connection);
        const answer = respond({ bytes, address, transport: "tcp" });
        if (answer === undefined) continue;
        if (!(answer instanceof Promise) && !isTransfer(answer)) {
          send(answer);
          continue;
        }
        connection.waiting += 1;
        void deliver(answer)
          // A transfer that fails midway cannot be answered otherwise.
          .catch(() => socket.destroy())
          .finally(() => {
            connection.waiting -= 1;
            answerAll();
          });
      }
      socket.pause();
    };
    socket.on("data", (chunk) => {
      framer.push(chunk);
      answerAll();
    });
    socket.on("drain", () => {
      touch(connection);
      answerAll();
    });
    socket.on("end", () => {
      hasEnded = true;
      answerAll();
    });
    // The client reset the connection.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => connections.delete(connection));
  });

  server.listen({ host, port, ipv6Only: host.includes(":") });
  await once(server, "listening");
  const sweep = setInterval(() => {
    const activeBefore = performance.now() - idleMs;
    for (const { activeAt, socket } of connections) {
      if (activeAt > activeBefore) return;
      socket.destroy();
    }
  }, sweepMs).unref();

  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      isClosing = true;
      const closed = once(server, "close");
      server.close();
      for (const { socket, waiting } of connections) if (waiting === 0) socket.end();
      // Some clients never close their side.
      const ending = setTimeout(() => connections.forEach(({ socket }) => socket.destroy()), sweepMs).unref();
      await closed;
      clearTimeout(ending);
      clearInterval(sweep);
    },
  };
}

async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]).catch(
    () => undefined,
  );
  over.abort();
}

/** The connections of the client that has most of them, in their order. */
function mostOfOne(connections: Iterable<Connection>): readonly Connection[] {
  let most: readonly Connection[] = [];
  for (const its of Map.groupBy(connections, ({ client }) => client).values())
    if (its.length > most.length) most = its;
  return most;
}

const lengthOctets = 2;
const chunksMax = 64;

/** Splits a TCP stream into messages; two octets with its length precede each message (RFC 1035 section 4.2.2). */
export class LengthFramer {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // A buffer takes far more memory than the few octets that it may hold.
    if (this.#chunks.length >= chunksMax) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /** The next message; undefined until it is complete. */
  next(): Buffer | undefined {
    if (this.#length < lengthOctets) return undefined;
    // A client may send each octet in a segment of its own, so a message is joined once, when it is complete.
    const whole = lengthOctets + this.#nextLength();
    if (this.#length < whole) return undefined;
    const joined = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    if (joined === undefined) return undefined;
    this.#chunks = joined.length > whole ? [joined.subarray(whole)] : [];
    this.#length -= whole;
    return joined.subarray(lengthOctets, whole);
  }

  #nextLength(): number {
    const [first, second] = this.#chunks;
    if (first !== undefined && first.length >= lengthOctets) return first.readUInt16BE(0);
    // Here the first chunk holds one octet; no chunk is empty.
    return ((first?.[0] ?? 0) << 8) | (second?.[0] ?? 0);
  }
}
