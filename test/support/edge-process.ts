import assert from "node:assert/strict";
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { pino } from "pino";

import { readConfig } from "../../src/config/config.ts";
import { startEdgeProcess, type EdgeProcess } from "../../src/server/edge-process.ts";
import { routeTo, startOrigin } from "./edge-app.ts";
import {
  connectionWaitMs,
  newDirectory,
  newSecretKeyFile,
  startTestApp,
  until,
  type TestApp,
} from "./harness.ts";
import { startLine } from "./tcp-line.ts";

/** The host of the zone of `startControl`. */
export const visitedHost = "www.example.com";

/** The status of the answer to a visitor, and its ray id. */
export function visit(
  address: string,
  path: string,
  { isSecure = false, host = visitedHost } = {},
): Promise<{ status: number; ray: string }> {
  const [name, port] = address.split(":");
  return new Promise((resolve, reject) => {
    const options = { host: name, port, path, agent: false, headers: { host }, servername: host };
    const sent = (isSecure ? secureRequest : request)(
      { ...options, ...(isSecure && { rejectUnauthorized: false }) },
      (response) => {
        response.resume();
        const ray = String(response.headers["cf-ray"]).split("-", 1)[0] ?? "";
        response.on("end", () => resolve({ status: response.statusCode ?? 0, ray }));
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

/** Times that edges wait for a database that does not answer. */
export type DatabaseWaits = Pick<Parameters<typeof startEdgeProcess>[1], "connectionWaitMs" | "silenceMsMax">;

/** An API, and where edges without it are started, on the same database by a line that can be cut. */
export async function startControl(t: TestContext, waits: DatabaseWaits = {}) {
  const origin = await startOrigin(t, (_request, response) => void response.end("of the origin"));
  const secret_key_file = newSecretKeyFile(newDirectory(t));
  const app = await startTestApp(t, "postgres", { secret_key_file }, { startedOn: new Date() });
  const line = await startLine(t, app.config.database ?? "", "zoneward");
  const data = newDirectory(t);
  const startWith = async (
    environment: Partial<Parameters<typeof startEdgeProcess>[1]>,
    more: readonly string[] = [],
  ): Promise<EdgeProcess> => {
    const { config } = await readConfig(
      [
        `--database=${line.url}`,
        `--secret-key-file=${secret_key_file}`,
        `--data=${data}`,
        "--port=0",
        "--edge-http=127.0.0.1:0",
        "--edge-https=127.0.0.1:0",
        "--edge-judge=127.0.0.1:0",
        ...more,
      ],
      {},
    );
    const logger = pino({ level: "silent" });
    return startEdgeProcess(config, { logger, connectionWaitMs, ...waits, ...environment });
  };
  const start = (...more: readonly string[]): Promise<EdgeProcess> => startWith({}, more);
  const addZone = async (name: string) => {
    const zoneId = await app.createZone(name);
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "CNAME", name: "www", content: "localhost", proxied: true },
    });
    const rules = async (phase: string, list: readonly object[]): Promise<void> => {
      const { body } = await app.request("PUT", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, {
        body: { rules: list },
      });
      assert.ok(body.success, JSON.stringify(body));
    };
    await rules("http_request_origin", [routeTo(origin)]);
    const block = (path: string) =>
      rules("http_request_firewall_custom", [
        { action: "block", expression: `http.request.uri.path eq "${path}"` },
      ]);
    return { zoneId, rules, block };
  };
  const zone = await addZone("example.com");
  return {
    app,
    ...zone,
    addZone,
    line,
    start,
    startWith,
    secret_key_file,
    file: join(data, "edge.snapshot"),
  };
}

export async function untilVisit(
  edge: EdgeProcess,
  path: string,
  status: number,
  host = visitedHost,
): Promise<string> {
  let last = { status: 0, ray: "" };
  await until(`${path} is answered ${status}`, async () => {
    last = await visit(edge.edgeHttpAddresses[0] ?? "", path, { host });
    return last.status === status;
  }).catch((error: unknown) => {
    throw new Error(`${path} was answered ${last.status} at last`, { cause: error });
  });
  return last.ray;
}

/** Waits until an edge has kept all zones in its snapshot. */
export async function untilKept({ probesUrl }: Pick<EdgeProcess, "probesUrl">): Promise<void> {
  await until("the snapshot has all zones", async () =>
    /^zoneward_edge_zones_unkept 0$/m.test(await (await fetch(`${probesUrl}/metrics`)).text()),
  );
}

export async function readyOf(edge: EdgeProcess) {
  const answer = await fetch(`${edge.probesUrl}/readyz`);
  return (await answer.json()) as {
    status: string;
    snapshot_age_seconds: number;
    zones: number;
    unread_zones: number;
  };
}

export async function eventsOf(app: TestApp, zoneId: string, ray: string): Promise<readonly unknown[]> {
  const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 10, filter: { rayName: "${ray}" }) { action } } } }`;
  const answer = await app.request("POST", "/graphql", { body: { query } });
  return JSON.parse(answer.text).data.viewer.zones[0].firewallEventsAdaptive;
}

export async function untilEvent(app: TestApp, zoneId: string, ray: string): Promise<void> {
  await until("the event is stored", async () => (await eventsOf(app, zoneId, ray)).length === 1);
}
