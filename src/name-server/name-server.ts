import { type Respond, type SocketAddress, listenOnTcp, type TcpLimits, listenOnUdp } from "./listeners.ts";

export interface NameServerOptions {
  readonly addresses: readonly SocketAddress[];
  readonly respond: Respond;
  /** Whether other threads may listen for datagrams at the same addresses. */
  readonly sharesPorts?: boolean;
  readonly tcpLimits?: TcpLimits;
}

export interface NameServer {
  readonly addresses: readonly SocketAddress[];
  /** Answers the messages that it has read, then stops. */
  readonly close: () => Promise<void>;
}

const tcpLimitsDefault: TcpLimits = { connectionsMax: 1_000, perClientMax: 100, idleMs: 10_000 };
/** With port 0, the port that is free for TCP may be in use for UDP. */
const attemptsMax = 10;

/** Listens on UDP and TCP at each address; port 0 takes a free port. Throws the errors of binding an address. */
export async function startNameServer(options: NameServerOptions): Promise<NameServer> {
  await using opened = new AsyncDisposableStack();
  const addresses: SocketAddress[] = [];
  for (const address of options.addresses) addresses.push(await listenAt(opened, address, options));
  const listening = opened.move();
  return { addresses, close: () => listening.disposeAsync() };
}

/** `127.0.0.1:1053`, `[::1]:1053`. */
export function showSocketAddress({ host, port }: SocketAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function listenAt(
  opened: AsyncDisposableStack,
  { host, port }: SocketAddress,
  { respond, sharesPorts = false, tcpLimits = tcpLimitsDefault }: NameServerOptions,
): Promise<SocketAddress> {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = await listenOnTcp({ host, port }, respond, tcpLimits);
    const bound = { host, port: tcp.port };
    try {
      const udp = await listenOnUdp(bound, respond, sharesPorts);
      opened.defer(() => tcp.close());
      opened.defer(() => udp.close());
      return bound;
    } catch (error) {
      await tcp.close();
      if (port !== 0 || attempt >= attemptsMax) throw error;
    }
  }
}
