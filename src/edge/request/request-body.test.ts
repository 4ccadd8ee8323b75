import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { until } from "../../../test/support/harness.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const host = "Host: www.example.com\r\n";

test("rules judge a body in chunks of one octet, and it reaches the origin", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.body.raw contains "evil"' },
  ]);
  await edge.untilStatus("/", 403, { method: "POST", body: "evil" });
  const send = (body: string) => {
    const chunks = body.replaceAll(/./g, (octet) => `1\r\n${octet}\r\n`);
    return exchange(
      edge.url,
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`,
    );
  };
  assert.match(await send(`${"a".repeat(500)}evil`), /^HTTP\/1\.1 403 /);
  assert.ok((await send("abcdefgh".repeat(500))).includes(`"body":"${"abcdefgh".repeat(500)}"`));
});

test("a visitor that leaves before its body was judged is counted as gone, not as an error", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: 'http.request.body.raw contains "evil"' },
  ]);
  await edge.untilStatus("/", 403, { method: "POST", body: "evil" });
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`);
  // The edge asks for the body once it waits for it.
  socket.once("data", () => socket.destroy());
  const counted = async (status: number): Promise<number> => {
    const metrics = await fetch(new URL("/metrics", edge.app.baseUrl));
    const text = await metrics.text();
    return Number(
      new RegExp(`^zoneward_edge_requests_total\\{status="${status}"\\} (\\d+)`, "m").exec(text)?.[1] ?? 0,
    );
  };
  await until("it is counted", async () => (await counted(499)) === 1);
  assert.equal(await counted(500), 0);
});
