import { AppError, permissionDenied } from "../core/error.ts";
import { decide } from "../core/policy/evaluate.ts";
import { account } from "../core/policy/permission-groups.ts";
import type { Answer } from "../wire/answers.ts";
import type { Page } from "./api-request.ts";
import { readCredentials } from "./credentials.ts";
import { transportErrors } from "./errors.ts";
import type { ServerOptions } from "./server-options.ts";

/** The permission that the owner's credentials need, on any account. */
const metricsGroup = account("Account Settings Read");

/** `/healthz`: the process runs. `/readyz`: its store answers. `/metrics`: for Prometheus. */
export function probes({
  ping,
  authenticate,
  mayReadMetrics,
  isOwner,
  metrics,
}: Pick<ServerOptions, "ping" | "authenticate" | "mayReadMetrics" | "isOwner" | "metrics">): Page[] {
  const health = statusAnswer(200, "ok");
  const unavailable = statusAnswer(503, "unavailable");
  return [
    { ...probe, path: "/healthz", answer: async () => health },
    {
      ...probe,
      path: "/readyz",
      answer: () =>
        ping().then(
          () => health,
          () => unavailable,
        ),
    },
    {
      ...probe,
      path: "/metrics",
      answer: async ({ message, address }) => {
        const access = mayReadMetrics(message);
        if (access === "host unknown") throw transportErrors.unknownHost();
        if (access === "denied") {
          const identity = await authenticate(readCredentials(message.headers), address);
          if (identity instanceof AppError) throw identity;
          const { grants, accountIds } = identity;
          const may = accountIds.some((id) => decide(grants, metricsGroup, { type: "account", id }).allowed);
          if (!may || !(await isOwner(identity))) throw permissionDenied();
        }
        return { status: 200, fields: ["content-type", metrics.contentType], body: await metrics.render() };
      },
    },
  ];
}

const probe = { method: "GET", isUnlimited: true } as const;

function statusAnswer(status: number, text: string): Answer {
  const fields = ["content-type", "application/json; charset=utf-8"];
  return { status, fields, body: JSON.stringify({ status: text }) };
}
