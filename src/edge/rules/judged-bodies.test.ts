import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ClientHttp2Session } from "node:http2";
import { test, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Octets in use, without those of streams, which are buffers. */
function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const largeBody = Buffer.alloc(128 * 1024, "Name=Value&");
const streamsOfSession = 100;

/** An edge whose rules read bodies, before an origin that answers none of the POST requests in `waiting`. */
async function startBeforeSlowOrigin(t: TestContext) {
  const waiting: ServerResponse[] = [];
  const port = await startOrigin(t, (request, response) => {
    request.resume().on("end", () => (request.method === "POST" ? waiting.push(response) : response.end()));
  });
  const edge = await startEdgeApp(t, "sqlite", port);
  const reads = ["lower(http.request.body.raw)", "url_decode(http.request.body.raw)"];
  const rule = (text: string) => ({ action: "block", expression: `${text} contains "evil"` });
  await edge.rules("http_request_firewall_custom", reads.map(rule));
  await serveHttps(edge);
  let session: ClientHttp2Session;
  let sent = 0;
  /** Sends bodies of 128 KiB, and collects the statuses of their answers. */
  const post = (bodies: number): number[] => {
    const statuses: number[] = [];
    for (let n = 0; n < bodies; n += 1, sent += 1) {
      if (sent % streamsOfSession === 0) session = openHttp2(t, edge);
      const stream = session.request({ ":path": "/", ":method": "POST", ":authority": "www.example.com" });
      stream.on("response", ({ ":status": status }) => statuses.push(Number(status))).resume();
      stream.end(largeBody);
    }
    return statuses;
  };
  return { edge, waiting, post };
}

test("a body that rules have judged is let go of while its origin does not answer", async (t) => {
  const { waiting, post } = await startBeforeSlowOrigin(t);
  const bodies = 100;
  const before = usedBytes();
  const statuses = post(bodies);
  await until("the origin has all of them", () => waiting.length === bodies);
  const held = usedBytes() - before;
  assert.ok(held < (bodies * largeBody.length) / 2, `${held} octets are held for ${bodies} bodies`);
  for (const response of waiting) response.end();
  await until("all are answered", () => statuses.length === bodies);
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test("bodies that rules read again are held once, and no more than a client's share of 64 MiB", async (t) => {
  const { edge, waiting, post } = await startBeforeSlowOrigin(t);
  const telling = 'http.response.code eq 503 and lower(http.request.body.raw) contains "name"';
  const told = { content_type: "text/plain", content: "told", status_code: 530 };
  await edge.rules("http_custom_errors", [
    { action: "serve_error", expression: telling, action_parameters: told },
    { action: "serve_error", expression: "http.response.code eq 403", action_parameters: told },
  ]);
  await edge.rules("http_request_dynamic_redirect", [
    {
      action: "redirect",
      expression: 'http.request.uri.path eq "/ready"',
      action_parameters: { from_value: { status_code: 307, target_url: { value: "/" } } },
    },
  ]);
  await edge.untilStatus("/ready", 307);
  // An account that is alone has a half, and so has a client of it.
  const bodiesMax = (16 * 1024 * 1024) / largeBody.length;
  const before = usedBytes();
  const statuses = post(bodiesMax);
  await until("the origin has all of them", () => waiting.length === bodiesMax);
  const held = usedBytes() - before;
  assert.ok(held < bodiesMax * largeBody.length * 1.75, `${held} octets are held for ${bodiesMax} bodies`);

  const refused = post(2);
  await until("they are answered", () => refused.length === 2);
  assert.deepEqual(refused, [530, 530], "as 503, of which a rule makes 530");
  assert.equal((await edge.visit("/")).status, 200);
  assert.equal(waiting.length, bodiesMax, "none of them came to the origin");
  waiting.pop()?.writeHead(503).end();
  await until("one is answered", () => statuses.length === 1);
  assert.deepEqual(statuses, [530], "the rule sees a body that was held");
  await until("there is room for another one", async () => {
    const further = post(1);
    await until("it is refused or taken", () => further.length === 1 || waiting.length === bodiesMax);
    return further.length === 0;
  });
});

onComparedEngines("judged bodies", (engine) => {
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
