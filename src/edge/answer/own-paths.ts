import type { TLSSocket } from "node:tls";

import { valueIn } from "../../core/transforms/request-headers.ts";
import { locationOf } from "../../wire/ray.ts";
import { uncached, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import { problems, type Problem } from "../errors/problems.ts";
import type { Exchange } from "../request/exchange.ts";
import { withoutZone } from "../request/visitor-request.ts";

/** The beginning of the paths that the edge serves itself: no rule judges such a request, and no origin gets it. */
export const ownPaths = "/cdn-cgi/";

/** The answer of the edge at [a path of its own](../../../docs/operating/edge.md#paths-of-the-edge). */
export function ownPathAnswer(exchange: Exchange): OwnAnswer {
  const path = exchange.visitor.path.slice(ownPaths.length);
  if (path === "trace") return traceOf(exchange);
  const [, code] = /^error\/(\d{3,4})$/.exec(path) ?? [];
  return exchange.problemAnswer(problemWith(Number(code)) ?? problems.notFound);
}

function problemWith(code: number): Problem | undefined {
  return Object.values<Problem>(problems).find((problem) => problem.code === code);
}

/** Describes how the request came, a pair in each line. */
function traceOf({ visit, visitor, address, location, ray, edge }: Exchange): OwnAnswer {
  const { servername, getProtocol } = visit.request.socket as Partial<TLSSocket>;
  const version = visitor.isSecure ? getProtocol?.call(visit.request.socket) : undefined;
  const pairs: readonly (readonly [name: string, value: string])[] = [
    ["h", visitor.host],
    ["ip", withoutZone(address)],
    ["ts", (edge.now().getTime() / 1_000).toFixed(3)],
    ["visit_scheme", visitor.isSecure ? "https" : "http"],
    ["uag", valueIn(visitor.headers, "user-agent")],
    ["colo", locationOf(ray)],
    ["http", visitor.protocol.toLowerCase()],
    ["loc", location.country ?? "XX"],
    ["tls", version ?? "off"],
    ["sni", typeof servername === "string" && servername !== "" ? "plaintext" : "off"],
    ["warp", "off"],
  ];
  return {
    status: 200,
    headers: [
      ["content-type", "text/plain"],
      ["x-content-type-options", "nosniff"],
      ["access-control-allow-origin", "*"],
      uncached,
    ],
    body: Buffer.from(pairs.map(([name, value]) => `${name}=${value}\n`).join(""), "latin1"),
  };
}
