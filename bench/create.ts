import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { asOwner, createZone, withDirectory, withServers } from "./fixture.ts";
import { wireRequest } from "./load.ts";
import { startPeer, startStorePeer, startZoneward } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios } from "./rounds.ts";

const size = { rounds: 5, requests: 8_000, warmUp: 8_000 };

/**
 * A durable create of a record in a SQLite file, 32 at a time, each of another name; beside a server that stores
 * nothing, and one that runs the same statements in the same groups.
 */
export async function create(): Promise<Finding[]> {
  return withDirectory((data) =>
    withServers([() => startZoneward(data), () => startPeer("echo")], async (zoneward, echo) => {
      const zoneId = await createZone(zoneward, "create.example");
      const copy = join(data, "peer.sqlite");
      using store = new DatabaseSync(join(data, "zoneward.sqlite"));
      store.prepare("vacuum into ?").run(copy);
      return withServers([() => startStorePeer(copy, zoneId)], async (stored) => {
        const path = `/zones/${zoneId}/dns_records`;
        const bare = (n: number) => wireRequest("POST", "/", {}, JSON.stringify(record(n)));
        const { costs, refused } = await measureInTurns(
          {
            zoneward: { server: zoneward, request: (n) => asOwner("POST", path, record(n)) },
            stored: { server: stored, request: bare },
            echo: { server: echo, request: bare },
          },
          size,
        );
        return [
          {
            what: "durable create / bare server with the same statements",
            values: ratios(costs.zoneward, costs.stored),
            unit: "x",
            budget: { most: 1.5 },
          },
          {
            what: "durable create / bare node:http that stores nothing",
            values: ratios(costs.zoneward, costs.echo),
            unit: "x",
            budget: { most: 5 },
          },
          { what: "durable create, CPU a request", values: costs.zoneward, unit: "us" },
          { what: "bare server with the same statements, CPU a request", values: costs.stored, unit: "us" },
          { what: "bare node:http that parses and renders the record", values: costs.echo, unit: "us" },
          { what: "durable create, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
        ] satisfies Finding[];
      });
    }),
  );
}

function record(n: number) {
  return {
    type: "A",
    name: `host-${n}.create.example`,
    content: `192.0.2.${n % 256}`,
    ttl: 300,
    proxied: false,
    comment: "Made by the benchmark",
  };
}
