import { connect, type ClientHttp2Session, type Settings } from "node:http2";
import type { TestContext } from "node:test";

import { untilAllIssued } from "./certificates.ts";
import type { EdgeApp } from "./edge-app.ts";
import { until } from "./harness.ts";

/** Has an edge serve its zone over HTTPS too, and reach the origin over HTTP. */
export async function serveHttps(edge: EdgeApp): Promise<void> {
  await untilAllIssued(edge.app);
  await edge.change("PATCH", "/settings/ssl", { value: "flexible" });
  await until(
    "HTTPS is served",
    async () => (await edge.visit("/", { isSecure: true }).catch(() => undefined))?.status === 200,
  );
}

/** A connection of a visitor to an edge that serves HTTPS. */
export function openHttp2(
  t: TestContext,
  { securePort }: Pick<EdgeApp, "securePort">,
  settings: Settings = {},
  servername = "www.example.com",
): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${securePort}`, {
    servername,
    rejectUnauthorized: false,
    settings,
  });
  t.after(() => session.destroy());
  return session;
}
