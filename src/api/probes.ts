import type { FastifyInstance } from "fastify";

import { AppError, permissionDenied } from "../core/error.ts";
import { decide } from "../core/policy/evaluate.ts";
import { account } from "../core/policy/permission-groups.ts";
import { readCredentials } from "./credentials.ts";
import { transportErrors } from "./errors.ts";
import type { ServerOptions } from "./server-options.ts";

/** The permission that the owner's credentials need, on any account. */
const metricsGroup = account("Account Settings Read");

/** `/healthz`: the process runs. `/readyz`: its store answers. `/metrics`: for Prometheus. */
export function mountProbes(
  server: FastifyInstance,
  {
    ping,
    authenticate,
    mayReadMetrics,
    isOwner,
    metrics,
  }: Pick<ServerOptions, "ping" | "authenticate" | "mayReadMetrics" | "isOwner" | "metrics">,
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
    const access = mayReadMetrics(request.raw);
    if (access === "host unknown") throw transportErrors.unknownHost();
    if (access === "denied") {
      const identity = await authenticate(readCredentials(request.headers), request.clientAddress);
      if (identity instanceof AppError) throw identity;
      const { grants, accountIds } = identity;
      const may = accountIds.some((id) => decide(grants, metricsGroup, { type: "account", id }).allowed);
      if (!may || !(await isOwner(identity))) throw permissionDenied();
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}
