import { randomBytes } from "node:crypto";

import type { Logger } from "pino";
import type { Registry } from "prom-client";

import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { rcodeName, typeName } from "../core/dns/wire/codes.ts";
import type { Respond, SocketAddress } from "./listener.ts";
import { OutsideTargets, type LookUpAddresses } from "./outside-addresses.ts";
import { QueryCounts } from "./query-counts.ts";
import { Responder } from "./responder.ts";
import { ResponseRateLimit } from "./response-rate-limit.ts";
import { listenOnTcp, type TcpLimits } from "./tcp-listener.ts";
import type { TransferSource } from "./transfers.ts";
import { listenOnUdp } from "./udp-listener.ts";

export interface NameServerOptions {
  readonly addresses: readonly SocketAddress[];
  readonly zones: ZoneIndex;
  /** Whether all zones are known. */
  readonly isComplete: () => boolean;
  readonly lookUpAddresses: LookUpAddresses;
  /** Undefined where nothing is transferred. */
  readonly transfers?: TransferSource;
  /** Equal responses in a second to one network over UDP; undefined for any number. */
  readonly responsesPerSecond: number | undefined;
  readonly logsQueries: boolean;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly register: Registry;
  readonly tcpLimits?: TcpLimits;
  /** What stands between the listeners and the answers; nothing by default. */
  readonly around?: (respond: Respond) => Respond;
}

/** A name server that listens. */
export interface NameServer {
  /** `127.0.0.1:1053`, `[::1]:1053`. */
  readonly addresses: readonly string[];
  /** Answers what it has read, then stops. */
  readonly close: () => Promise<void>;
}

const tcpLimitsDefault: TcpLimits = { connectionsMax: 1_000, perClientMax: 100, idleMs: 10_000 };
const cookieSecretOctets = 16;
/** A free port for TCP may be taken for UDP. */
const attemptsMax = 10;

/** Listens on UDP and TCP at each address. Errors: those of binding them. */
export async function startNameServer(options: NameServerOptions): Promise<NameServer> {
  const { around = (respond) => respond } = options;
  const respond = around(respondWith(options));
  await using opened = new AsyncDisposableStack();
  const addresses: string[] = [];
  for (const address of options.addresses) {
    const port = await listenAt(opened, address, respond, options.tcpLimits ?? tcpLimitsDefault);
    addresses.push(`${address.host.includes(":") ? `[${address.host}]` : address.host}:${port}`);
  }
  const listening = opened.move();
  return { addresses, close: () => listening.disposeAsync() };
}

async function listenAt(
  opened: AsyncDisposableStack,
  { host, port }: SocketAddress,
  respond: Respond,
  limits: TcpLimits,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = await listenOnTcp({ host, port }, respond, limits);
    try {
      const udp = await listenOnUdp({ host, port: tcp.port }, respond);
      opened.defer(() => tcp.close());
      opened.defer(() => udp.close());
      return tcp.port;
    } catch (error) {
      await tcp.close();
      if (port !== 0 || attempt >= attemptsMax) throw error;
    }
  }
}

function respondWith(options: NameServerOptions): Respond {
  const { zones, isComplete, lookUpAddresses, responsesPerSecond, logsQueries, now, logger, register } =
    options;
  const counts = new QueryCounts(register);
  const nowMs = (): number => now().getTime();
  const targets = new OutsideTargets(lookUpAddresses, nowMs);
  const responder = new Responder({
    zones,
    isComplete,
    outside: targets,
    transfers: options.transfers,
    cookieSecret: randomBytes(cookieSecretOctets),
    rateLimit: responsesPerSecond === undefined ? undefined : new ResponseRateLimit(responsesPerSecond),
    nowMs,
    observe: (outcome) => {
      counts.observe(outcome);
      if (!logsQueries) return;
      const { address, transport, question, rcode } = outcome;
      const { name, type } = question ?? {};
      logger.info(
        {
          address,
          transport,
          name,
          type: type === undefined ? undefined : typeName(type),
          code: rcodeName(rcode),
        },
        "DNS query",
      );
    },
  });
  const failed = (error: unknown): undefined => {
    logger.error({ err: error }, "a DNS query could not be answered");
  };
  return (query) => {
    try {
      const answer = responder.respond(query);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}
