import { get } from "node:https";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { pino } from "pino";

import { startApp, type App } from "../../src/server/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { ownerToken } from "./harness.ts";

/** A server that speaks TLS, with what a client needs to trust it. */
export interface TlsApp extends App {
  readonly port: number;
  /** The certificate of the local CA, PEM; empty where there is none. */
  readonly authority: string;
  /** The log so far, a JSON line each. */
  readonly logged: readonly string[];
}

/**
 * Starts a server on a free port, in memory unless `flags` say otherwise. Its clock is the real one, unlike
 * elsewhere: a TLS client judges certificates by no other.
 */
export async function startTlsApp(t: TestContext, ...flags: string[]): Promise<TlsApp> {
  const logged: string[] = [];
  const given = ["--ephemeral", "--port=0", `--owner-token=${ownerToken}`, ...flags];
  const { config } = await readConfig(given, {});
  const logger = pino({ level: config.log_level }, { write: (line: string) => void logged.push(line) });
  const app = await startApp(config, { logger });
  t.after(() => app.close());
  const { authorityFile } = app;
  return {
    ...app,
    port: Number(new URL(app.baseUrl).port),
    authority: authorityFile === undefined ? "" : readFileSync(authorityFile, "utf8"),
    logged,
  };
}

export function startSelfSignedApp(t: TestContext, ...flags: string[]): Promise<TlsApp> {
  return startTlsApp(t, "--tls=self-signed", ...flags);
}

/** A directory that is gone after the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** One GET over a connection of its own, by a client that trusts `authority` and nobody else. */
export function getTrusting(
  authority: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ca: authority, agent: false, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on("error", reject);
  });
}
