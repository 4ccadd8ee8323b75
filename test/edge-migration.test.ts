import assert from "node:assert/strict";
import { test } from "node:test";

import { managedPhase } from "../src/core/rulesets/phases.ts";
import { startControl, visit } from "./support/edge-process.ts";
import { newDirectory, until } from "./support/harness.ts";
import { scriptInjection } from "./support/replay-api.ts";
import { managedRulesetId } from "./support/ruleset-api.ts";
import { spawnEdge } from "./support/spawned-server.ts";

test("while a zone migrates, edges in processes of their own judge each request by one version at least", async (t) => {
  const { app, zoneId, secret_key_file } = await startControl(t);
  const zone = `/zones/${zoneId}`;
  const flags = [`--database=${app.config.database}`, `--secret-key-file=${secret_key_file}`];
  const startEdge = () => spawnEdge(t, [...flags, `--data=${newDirectory(t)}`, "--edge-http=127.0.0.1:0"]);
  const edges = await Promise.all([startEdge(), startEdge()]);
  await app.request("PATCH", `${zone}/settings/waf`, { body: { value: "on" } });
  for (const { httpAddress } of edges) {
    await until("the previous version judges", async () => {
      return (await visit(httpAddress, scriptInjection)).status === 403;
    });
  }

  const stopped = new AbortController();
  const visitors = edges.flatMap(({ httpAddress }) =>
    Array.from({ length: 4 }, async () => {
      const seen = new Map<number, number>();
      while (!stopped.signal.aborted) {
        const { status } = await visit(httpAddress, scriptInjection);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      return seen;
    }),
  );
  /** The product that judged each of the requests, as far as events are stored. */
  const sourcesOf = async (rays: readonly string[]): Promise<readonly string[]> => {
    const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 200, filter: { rayName_in: ${JSON.stringify(rays)} }) { rayName source } } } }`;
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const events: { rayName: string; source: string }[] =
      JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
    return [...Map.groupBy(events, ({ rayName }) => rayName).values()].map((ofRequest) =>
      ofRequest
        .map(({ source }) => source)
        .toSorted()
        .join(),
    );
  };
  const untilJudgedBy = async (...versions: string[]): Promise<void> => {
    for (const { httpAddress } of edges) {
      // Under this load, an edge may leave out the events of some requests.
      const rays: string[] = [];
      await until(`it is judged by ${versions.join()}`, async () => {
        rays.push((await visit(httpAddress, scriptInjection)).ray);
        return (await sourcesOf(rays.slice(-100))).includes(versions.join());
      });
    }
  };
  const execute = { action: "execute", expression: "true", action_parameters: { id: managedRulesetId } };
  for (const [mode, ...versions] of [
    ["validation", "firewallManaged", "waf"],
    ["pending", "firewallManaged"],
  ] as const) {
    const path = `${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=${mode}&phase_two=1`;
    const { body, text } = await app.request("PUT", path, { body: { rules: [execute] } });
    assert.ok(body.success, text);
    await untilJudgedBy(...versions);
  }
  stopped.abort();
  for (const seen of await Promise.all(visitors)) assert.deepEqual([...seen.keys()], [403]);
});
