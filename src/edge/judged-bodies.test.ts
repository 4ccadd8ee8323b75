import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { untilAllIssued } from "../../test/support/certificates.ts";
import { startEdgeApp, startOrigin } from "../../test/support/edge-app.ts";
import { onEachEngine, until } from "../../test/support/harness.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Octets in use, without those of streams, which are buffers. */
function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test("a body that rules have judged is let go of while its origin does not answer", async (t) => {
  const bodies = 100;
  const body = Buffer.alloc(128 * 1024, "Name=Value&");
  const waiting: ServerResponse[] = [];
  const port = await startOrigin(t, (request, response) => {
    request.resume().on("end", () => (request.method === "POST" ? waiting.push(response) : response.end()));
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  await untilAllIssued(edge.app);
  await edge.change("PATCH", "/settings/ssl", { value: "flexible" });
  const reads = ["lower(http.request.body.raw)", "url_decode(http.request.body.raw)"];
  const rule = (text: string) => ({ action: "block", expression: `${text} contains "evil"` });
  await edge.rules("http_request_firewall_custom", reads.map(rule));
  await until(
    "HTTPS is served",
    async () => (await edge.visit("/", { isSecure: true }).catch(() => undefined))?.status === 200,
  );
  const session = connectHttp2(`https://127.0.0.1:${edge.securePort}`, {
    servername: "www.example.com",
    rejectUnauthorized: false,
  });
  t.after(() => session.destroy());
  const before = usedBytes();
  const statuses: unknown[] = [];
  for (let n = 0; n < bodies; n += 1) {
    const stream = session.request({ ":path": "/", ":method": "POST", ":authority": "www.example.com" });
    stream.on("response", ({ ":status": status }) => statuses.push(status)).resume();
    stream.end(body);
  }
  await until("the origin has all of them", () => waiting.length === bodies);
  const held = usedBytes() - before;
  assert.ok(held < (bodies * body.length) / 2, `${held} octets are held for ${bodies} bodies`);
  for (const response of waiting) response.end();
  await until("all are answered", () => statuses.length === bodies);
  assert.deepEqual(new Set(statuses), new Set([200]));
});

onEachEngine("judged bodies", (engine) => {
  test("rules for errors and counting expressions see the body after the answer", async (t) => {
    const port = await startOrigin(t, (request, response) => {
      request.resume().on("end", () => response.writeHead(request.url === "/" ? 200 : 503).end());
    });
    const edge = await startEdgeApp(t, engine, port);
    const names = (word: string) => `http.request.body.raw contains "${word}"`;
    await edge.rules("http_custom_errors", [
      {
        action: "serve_error",
        expression: `http.response.code eq 503 and ${names("tell")}`,
        action_parameters: { content_type: "text/plain", content: "told", status_code: 530 },
      },
    ]);
    await edge.untilStatus("/fails", 530, { method: "POST", body: "tell me" });
    assert.equal((await edge.visit("/fails", { method: "POST", body: "nothing" })).status, 503);
    await edge.rules("http_custom_errors", []);
    await edge.rules("http_ratelimit", [
      {
        action: "block",
        expression: "true",
        ratelimit: {
          characteristics: ["ip.src", "cf.colo.id"],
          period: 60,
          requests_per_period: 1,
          counting_expression: `http.response.code eq 200 and ${names("count")}`,
        },
      },
    ]);
    const status = async (body: string) => (await edge.visit("/", { method: "POST", body })).status;
    await edge.untilStatus("/fails", 503, { method: "POST", body: "tell me" });
    await edge.untilStatus("/", 429, { method: "POST", body: "count me" });
    assert.equal(await status("nothing"), 429);
  });
});
