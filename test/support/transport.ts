import type { TestContext } from "node:test";

import type { FastifyInstance } from "fastify";
import { pino } from "pino";

import { clientAddressesBehind } from "../../src/wire/client-address.ts";
import { createMetrics } from "../../src/wire/metrics.ts";
import type { ServerOptions } from "../../src/api/server-options.ts";
import { createServer } from "../../src/api/server.ts";
import { startOfTime } from "./harness.ts";

/** The transport alone, without resources or a store. */
export function createTransport(options: Partial<ServerOptions>): FastifyInstance {
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
  t.after(() => server.close());
  return server.listen({ host: "127.0.0.1", port: 0 });
}
