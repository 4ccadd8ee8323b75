import { request, type IncomingHttpHeaders, type RequestOptions } from "node:http";

import { startEdgeApp, startOrigin } from "./edge-app.ts";
import type { Engine, TestEnvironment } from "./harness.ts";

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface Verdict {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks a judge, or a proxy that does. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Question,
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers, agent: false };
    const asked = request(options as RequestOptions, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** The expression for requests to a path. */
const isAt = (path: string) => `http.request.uri.path eq "${path}"`;

/** A judge with rules that stop, rewrite and change headers. */
export async function startJudge(
  t: Parameters<typeof startEdgeApp>[0],
  engine: Engine,
  settings = {},
  environment: TestEnvironment = {},
) {
  const origin = await startOrigin(t);
  const judging = { edge_judge: ["127.0.0.1:0"], ...settings };
  const edge = await startEdgeApp(t, engine, origin, judging, environment);
  await edge.rules("http_request_dynamic_redirect", [
    {
      action: "redirect",
      expression: isAt("/old"),
      action_parameters: {
        from_value: { status_code: 308, target_url: { value: "https://example.net/new" } },
      },
    },
  ]);
  await edge.rules("http_request_transform", [
    { action: "rewrite", expression: isAt("/from"), action_parameters: { uri: { path: { value: "/to" } } } },
  ]);
  await edge.rules("http_request_late_transform", [
    {
      action: "rewrite",
      expression: 'http.request.uri.path in {"/to" "/set"}',
      action_parameters: {
        headers: { "X-Set": { operation: "set", value: "by a rule" }, "X-Gone": { operation: "remove" } },
      },
    },
  ]);
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: 'ip.src eq 203.0.113.9 or http.request.method eq "DELETE"' },
    {
      action: "block",
      expression: isAt("/teapot"),
      action_parameters: { response: { status_code: 418, content_type: "text/plain", content: "a teapot" } },
    },
    { action: "block", expression: 'http.request.body.raw contains "secret"' },
    { action: "block", expression: `http.request.body.truncated and ${isAt("/whole")}` },
    { action: "managed_challenge", expression: isAt("/prove") },
    { action: "log", expression: isAt("/logged") },
  ]);
  await edge.untilStatus("/teapot", 418);
  const port = Number(edge.app.edgeJudgeAddresses[0]?.split(":").at(-1));
  return { ...edge, edge, origin, port };
}
