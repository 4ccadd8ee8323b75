import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ClientHttp2Stream } from "node:http2";
import { test, type TestContext } from "node:test";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../test/support/edge-app.ts";
import { until } from "../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../test/support/http2-visitor.ts";
import { addNeighbour, type Neighbour } from "../../test/support/neighbour.ts";

const largeBody = Buffer.alloc(128 * 1024, "Name=Value&");
const readAgain = {
  action: "serve_error",
  expression: 'http.response.code eq 500 and http.request.body.raw contains "name"',
  action_parameters: { content_type: "text/plain", content: "told", status_code: 530 },
};

interface Neighbours {
  readonly edge: EdgeApp;
  readonly neighbour: Neighbour;
  /** Requests that the origin does not answer. */
  readonly waiting: ServerResponse[];
}

/** Two accounts on one edge, before an origin that answers no POST request until it is told. */
async function startNeighbours(t: TestContext, settings: object = {}): Promise<Neighbours> {
  const waiting: ServerResponse[] = [];
  const port = await startOrigin(t, (request, response) => {
    request.resume().on("end", () => {
      if (request.headers["x-slow"] === undefined) response.end();
      else waiting.push(response);
    });
  });
  const edge = await startEdgeApp(t, "sqlite", port, {
    create_accounts: "owner",
    trusted_proxies: ["127.0.0.1"],
    ...settings,
  });
  const neighbour = await addNeighbour(edge, port);
  return { edge, neighbour, waiting };
}

test("bodies that are held for one account, from however many clients, keep none of another account out", async (t) => {
  const { edge, neighbour, waiting } = await startNeighbours(t);
  for (const { rules } of [edge, neighbour]) {
    await rules("http_custom_errors", [readAgain]);
    // Visits show whether the rule is in force.
    await rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.request.body.raw contains "evil"' },
    ]);
  }
  for (const host of ["www.example.com", neighbour.host])
    await edge.untilStatus("/", 403, { host, method: "POST", body: "evil" });

  const statuses: number[] = [];
  let sent = 0;
  const fill = (client: number): void => {
    const headers = { "x-slow": "1", "user-agent": "a visitor", "x-forwarded-for": `192.0.2.${client}` };
    sent += 1;
    void edge.visit("/", { method: "POST", host: neighbour.host, headers, body: largeBody }).then(
      ({ status }) => statuses.push(status),
      () => undefined,
    );
  };
  for (let client = 0; statuses.length === 0 && client < 40; client += 1) {
    for (let n = 0; n < 20; n += 1) fill(client);
    await until("they are held or refused", () => waiting.length + statuses.length === sent);
  }
  assert.deepEqual(new Set(statuses), new Set([503]), "the neighbour has had its share");
  const own = await edge.visit("/", { method: "POST", body: largeBody });
  assert.equal(own.status, 200, "there is room for another account");
  for (const response of waiting) response.end();
});

test("requests that wait for the visitors of one account cut none of another account", async (t) => {
  const { edge, neighbour } = await startNeighbours(t, { connections_max: 12 });
  await serveHttps(edge);
  await neighbour.change("PATCH", "/settings/ssl", { value: "flexible" });
  const judging = [{ action: "block", expression: 'http.request.body.raw contains "evil"' }];
  for (const { rules } of [edge, neighbour]) await rules("http_request_firewall_custom", judging);
  for (const host of ["www.example.com", neighbour.host]) {
    await until("a rule judges bodies", async () => {
      const visiting = edge.visit("/", { host, method: "POST", body: "evil", isSecure: true });
      return (await visiting.catch(() => undefined))?.status === 403;
    });
  }
  /** Begins to send bodies, one from each client. */
  const begin = (host: string, clients: readonly string[]): ClientHttp2Stream[] => {
    const session = openHttp2(t, edge, {}, host).on("error", () => undefined);
    return clients.map((client) => {
      const stream = session.request({
        ":path": "/",
        ":method": "POST",
        ":authority": host,
        "x-forwarded-for": client,
      });
      stream.on("error", () => undefined).resume();
      stream.write("the beginning of a body");
      return stream;
    });
  };
  const own = begin("www.example.com", ["203.0.113.1", "203.0.113.1", "203.0.113.2"]);
  assert.equal((await edge.visit("/", { isSecure: true })).status, 200);
  const others = begin(
    neighbour.host,
    Array.from({ length: 40 }, (_, n) => `192.0.2.${n}`),
  );
  await until(
    "all above the bound are cut",
    () => others.filter(({ closed }) => closed).length === 40 + own.length - 12,
  );
  assert.deepEqual(
    own.map(({ closed }) => closed),
    [false, false, false],
  );
});
