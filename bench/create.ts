import { asOwner, createZone, withDirectory, withServers } from "./fixture.ts";
import { wireRequest } from "./load.ts";
import { startPeer, startZoneward } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios } from "./rounds.ts";

const size = { rounds: 5, requests: 8_000, warmUp: 8_000 };

/** A durable create of a record in a SQLite file, 32 at a time, each of another name. */
export async function create(): Promise<Finding[]> {
  return withDirectory((data) =>
    withServers([() => startZoneward(data), () => startPeer("echo")], async (zoneward, echo) => {
      const zoneId = await createZone(zoneward, "create.example");
      const path = `/zones/${zoneId}/dns_records`;
      const { costs, refused } = await measureInTurns(
        {
          zoneward: { server: zoneward, request: (n) => asOwner("POST", path, record(n)) },
          echo: {
            server: echo,
            request: (n) => wireRequest("POST", "/", {}, JSON.stringify(record(n))),
          },
        },
        size,
      );
      return [
        {
          what: "durable create, CPU a request",
          values: costs.zoneward,
          unit: "us",
          budget: { most: 180, aim: 100 },
        },
        { what: "durable create, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
        { what: "bare node:http that parses and renders the record", values: costs.echo, unit: "us" },
        {
          what: "durable create / bare node:http that stores nothing",
          values: ratios(costs.zoneward, costs.echo),
          unit: "x",
        },
      ] satisfies Finding[];
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
