import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { openHttp2 } from "../../../test/support/http2-visitor.ts";

onComparedEngines("paths of the edge", (engine) => {
  test("no rule judges them, and no origin gets a request for one", async (t) => {
    const asked: string[] = [];
    const port = await startOrigin(t, ({ url = "" }, response) => {
      asked.push(url);
      response.end();
    });
    const { visit, rules, change, untilStatus } = await startEdgeApp(t, engine, port);
    await rules("http_request_firewall_custom", [{ action: "block", expression: "true" }]);
    await untilStatus("/", 403);
    const answers: readonly (readonly [path: string, status: number])[] = [
      ["/cdn-cgi/trace", 200],
      ["/cdn-cgi/trace?a", 200],
      ["/cdn-cgi/", 404],
      ["/cdn-cgi/image/a.png", 404],
      ["/cdn-cgi/challenge-platform/answer", 404],
      ["/cdn-cgi/error/constructor", 404],
      ["/cdn-cgi/error/999", 404],
      ["/cdn-cgi", 403],
    ];
    for (const [path, status] of answers) assert.equal((await visit(path)).status, status, path);
    assert.equal((await visit("/cdn-cgi/trace", { method: "POST", body: "a".repeat(1_000) })).status, 200);
    assert.deepEqual(
      asked.filter((url) => url.startsWith("/cdn-cgi")),
      [],
    );
    await change("PATCH", "", { paused: true });
    await until("a paused zone has no such paths", async () => {
      return !(await visit("/cdn-cgi/trace")).text.includes("visit_scheme");
    });
  });

  test("a visitor sees how its request came", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    const linesOf = (text: string) => text.replace(/(?<=^ts=)\d+\.\d{3}$/m, "TIME").split("\n");
    const headers = { "user-agent": "a browser" };
    const plain = await edge.visit("/cdn-cgi/trace", { headers });
    assert.equal(plain.headers["access-control-allow-origin"], "*");
    const colo = String(plain.headers["cf-ray"]).slice(-3);
    const common = ["uag=a browser", `colo=${colo}`];
    assert.deepEqual(linesOf(plain.text), [
      "h=www.example.com",
      "ip=127.0.0.1",
      "ts=TIME",
      "visit_scheme=http",
      ...common,
      "http=http/1.1",
      "loc=XX",
      "tls=off",
      "sni=off",
      "warp=off",
      "",
    ]);

    await untilAllIssued(edge.app);
    await until("the certificate is served", async () => {
      const answer = await edge.visit("/cdn-cgi/trace", { isSecure: true }).catch(() => undefined);
      return answer?.status === 200;
    });
    const session = openHttp2(t, edge);
    const stream = session.request({
      ":path": "/cdn-cgi/trace",
      ":authority": "www.example.com",
      ...headers,
    });
    let text = "";
    stream.setEncoding("latin1").on("data", (part: string) => (text += part));
    await once(stream, "end");
    assert.deepEqual(linesOf(text), [
      "h=www.example.com",
      "ip=127.0.0.1",
      "ts=TIME",
      "visit_scheme=https",
      ...common,
      "http=http/2",
      "loc=XX",
      "tls=TLSv1.3",
      "sni=plaintext",
      "warp=off",
      "",
    ]);
  });

  test("each error can be looked at", async (t) => {
    const { visit } = await startEdgeApp(t, engine, await startOrigin(t));
    for (const [code, status, retryAfter] of [
      [522, 522, "120"],
      [1015, 429, "30"],
      [1016, 530, undefined],
    ] as const) {
      const answer = await visit(`/cdn-cgi/error/${code}`, { headers: { accept: "application/json" } });
      const { error_code, retry_after } = JSON.parse(answer.text);
      assert.deepEqual(
        [answer.status, error_code, answer.headers["retry-after"]],
        [status, code, retryAfter],
      );
      assert.equal(retry_after, retryAfter === undefined ? undefined : Number(retryAfter));
    }
  });
});
