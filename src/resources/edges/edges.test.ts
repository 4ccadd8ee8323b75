import assert from "node:assert/strict";
import { test } from "node:test";

import {
  onComparedEngines,
  startOfTime,
  startTestApp,
  until,
  type TestApp,
} from "../../../test/support/harness.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import { reportEdge } from "./edges.ts";

async function edgesOf(app: TestApp) {
  const { status, body, text } = await app.request("GET", `/accounts/${app.owner.accountId}/edges`);
  assert.equal(status, 200, text);
  return body.result;
}

onComparedEngines("edges", (engine) => {
  test("without one, only the networks of origins are told", async (t) => {
    const app = await startTestApp(t, engine, { edge_origin_networks: ["10.0.0.0/8"] });
    assert.deepEqual(await edgesOf(app), { edges: [], origin_networks: ["10.0.0.0/8"] });
  });

  test("one tells where it listens and what it serves, is silent once it says nothing, and gone once it ends", async (t) => {
    const app = await startTestApp(t, engine, { edge_http: ["127.0.0.1:0"] });
    await app.request("PUT", `/zones/${await app.createZone("example.com")}/activation_check`);
    await until("it has told of itself", async () => (await edgesOf(app)).edges.length === 1);
    const { edges, origin_networks } = await edgesOf(app);
    const [edge] = edges;
    assert.deepEqual(edge.http, app.edgeHttpAddresses);
    assert.deepEqual([edge.https, edge.judge], [[], []]);
    assert.deepEqual([edge.status, edge.configuration_as_of], ["running", null]);
    assert.match(edge.id, /^[0-9a-f]{32}$/);
    assert.deepEqual(origin_networks, ["127.0.0.0/8", "::1"]);

    const quiet = toTimestamp(new Date(startOfTime.getTime() - 31_000));
    await reportEdge(await app.storeBeside(), {
      id: "0123456789abcdef0123456789abcdef",
      host: "elsewhere",
      software_version: "1.2.3",
      addresses: toJson({ http: ["192.0.2.80:80"], https: [], judge: [] }),
      zones: 3,
      started_on: quiet,
      seen_on: quiet,
      behind_since: null,
    });
    const { edges: both } = await edgesOf(app);
    const silent = both.find(({ host }: { host: string }) => host === "elsewhere");
    assert.deepEqual(
      [silent.status, silent.configuration_as_of, silent.http],
      ["silent", quiet, ["192.0.2.80:80"]],
    );

    await app.restart();
    await until("the next one has told of itself", async () =>
      (await edgesOf(app)).edges.some(
        ({ id, status }: { id: string; status: string }) => status === "running" && id !== edge.id,
      ),
    );
    const later = (await edgesOf(app)).edges;
    assert.ok(later.every(({ id }: { id: string }) => id !== edge.id));
  });
});
