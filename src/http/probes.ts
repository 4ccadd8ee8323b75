import type { FastifyInstance } from "fastify";

import { AppError, permissionDenied } from "../core/error.ts";
import { decide } from "../core/policy/evaluate.ts";
import { account } from "../core/policy/permission-groups.ts";
import { isLoopback } from "./client-address.ts";
import { readCredentials } from "./credentials.ts";
import { transportErrors } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import type { ServerOptions } from "./server-options.ts";

/** A caller that is not on loopback needs it on any account. */
const metricsGroup = account("Account Settings Read");

/** `/healthz`: the process runs. `/readyz`: its store answers. `/metrics`: for Prometheus. */
export function mountProbes(
  server: FastifyInstance,
  {
    ping,
    authenticate,
    isHostAllowed,
    metrics,
  }: Pick<ServerOptions, "ping" | "authenticate" | "isHostAllowed"> & { metrics: Metrics },
): void {
  server.get("/healthz", { config: { pattern: "/healthz", isUnlimited: true } }, async () => ({
    status: "ok",
  }));

  server.get("/readyz", { config: { pattern: "/readyz", isUnlimited: true } }, async (_, reply) => {
    try {
      await ping();
      return { status: "ok" };
    } catch {
      return reply.code(503).send({ status: "unavailable" });
    }
  });

  server.get("/metrics", { config: { pattern: "/metrics", isUnlimited: true } }, async (request, reply) => {
    if (isLoopback(request.clientAddress)) {
      if (!isHostAllowed(request)) throw transportErrors.unknownHost();
    } else {
      const identity = await authenticate(readCredentials(request.headers), request.clientAddress);
      if (identity instanceof AppError) throw identity;
      const { grants, accountIds } = identity;
      const may = accountIds.some((id) => decide(grants, metricsGroup, { type: "account", id }).allowed);
      if (!may) throw permissionDenied();
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}
