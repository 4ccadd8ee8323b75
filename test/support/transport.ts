import { once } from "node:events";
import { IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { TestContext } from "node:test";

import { pino } from "pino";

import { clientAddressesBehind } from "../../src/wire/client-address.ts";
import { listen, originOf, stopListening } from "../../src/wire/listening.ts";
import { createMetrics } from "../../src/wire/metrics.ts";
import type { ServerOptions } from "../../src/api/server-options.ts";
import { createServer } from "../../src/api/server.ts";
import { startOfTime } from "./harness.ts";

/** The transport alone, without resources or a store. */
export function createTransport(options: Partial<ServerOptions>): Server {
  return createServer({
    basePath: "/client/v4",
    routes: [],
    version: "0.0.0",
    authenticate: () => Promise.reject(new Error("nobody may call")),
    authorize: () => Promise.resolve(),
    onAuthorized: () => undefined,
    asUnavailable: () => undefined,
    ping: () => Promise.resolve(),
    clientAddresses: clientAddressesBehind([]),
    mayReadMetrics: () => "denied",
    isOwner: () => Promise.resolve(false),
    rateQuotas: undefined,
    now: () => startOfTime,
    tls: undefined,
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    ...options,
  });
}

/** The same, listening. The answer is its origin. */
export async function startTransport(t: TestContext, options: Partial<ServerOptions>): Promise<string> {
  const server = createTransport(options);
  t.after(() => stopListening(server));
  return originOf(await listen(server, { host: "127.0.0.1", port: 0 }));
}

interface RequestHead {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Hands a request without a body to a server without a connection, and waits for the end of its answer. */
export async function hand(server: Server, head: RequestHead): Promise<void> {
  const nowhere = new Duplex({ read: () => undefined, write: (_part, _encoding, done) => done() });
  const socket = Object.assign(nowhere, { remoteAddress: "127.0.0.1" }) as unknown as Socket;
  const headers = { host: "localhost", ...head.headers };
  const request = Object.assign(new IncomingMessage(socket), {
    method: head.method ?? "GET",
    url: head.url ?? "/",
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    complete: true,
  });
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  const finished = once(response, "finish");
  server.emit("request", request, response);
  await finished;
}
