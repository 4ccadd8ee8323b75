import assert from "node:assert/strict";
import { test } from "node:test";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { RunningEdge } from "../../../../src/resources/edges/schema.ts";
import { conditionsOf } from "./conditions.ts";

const edge: RunningEdge = {
  id: "0123456789abcdef0123456789abcdef",
  host: "one",
  status: "running",
  version: "1.2.3",
  http: ["192.0.2.80:80"],
  https: ["192.0.2.80:443"],
  judge: [],
  zones: 1,
  started_on: "2026-01-01T00:00:00Z",
  seen_on: "2026-01-02T00:00:00Z",
  configuration_as_of: null,
};

function records(...contents: readonly string[]) {
  return { result: contents.map((content) => ({ type: "A", name: "www", content }) as DnsRecord) };
}

type Known = Parameters<typeof conditionsOf>[0];

const inForce: Known = {
  zone: { status: "active", paused: false },
  edges: { edges: [edge], origin_networks: ["10.0.0.0/8"] },
  proxied: records("192.0.2.1", "10.1.2.3"),
  packs: [{ status: "active" }],
  customs: [],
  mode: "standard",
  ssl: "full",
};

test("a zone that everything is there for is in force, and each lack is told by itself", () => {
  const unmet = (change: Partial<Known>): readonly string[] =>
    conditionsOf({ ...inForce, ...change })
      .filter(({ isMet }) => !isMet)
      .map(({ title }) => title);
  assert.deepEqual(unmet({}), []);
  const edges = (...all: readonly RunningEdge[]) => ({ edges: [edge, ...all], origin_networks: [] });
  const proxied = records("192.0.2.1");
  const lacks: readonly (readonly [Partial<Known>, string])[] = [
    [{ edges: edges({ ...edge, configuration_as_of: edge.seen_on }), proxied }, "An edge runs"],
    [{ zone: { status: "pending", paused: false } }, "The zone is active"],
    [{ zone: { status: "active", paused: true } }, "The zone is active"],
    [{ proxied: records() }, "Names lead to the edge"],
    [{ mode: "dns_only" }, "Names lead to the edge"],
    [{ packs: [{ status: "initializing" }] }, "There is a certificate"],
    [{ packs: [], customs: [{ status: "expired" }] }, "There is a certificate"],
    [{ proxied: records("192.0.2.1", "192.168.0.1") }, "Origins may be asked"],
    [{ edges: { edges: [{ ...edge, https: [] }], origin_networks: [] }, proxied }, "Visitors can use HTTPS"],
    [{ ssl: "off" }, "Visitors can use HTTPS"],
  ];
  for (const [change, title] of lacks) assert.deepEqual(unmet(change), [title]);
  for (const none of [[], [{ ...edge, status: "silent" as const }]])
    assert.deepEqual(unmet({ edges: { edges: none, origin_networks: [] }, proxied }), [
      "An edge runs",
      "Visitors can use HTTPS",
    ]);
});

test("what may not be read is left out, and not told to be missing", () => {
  const nothing = { edges: undefined, proxied: undefined, packs: undefined, customs: undefined };
  const titles = conditionsOf({ ...inForce, ...nothing, mode: undefined, ssl: undefined });
  assert.deepEqual(
    titles.map(({ title }) => title),
    ["The zone is active"],
  );
});
