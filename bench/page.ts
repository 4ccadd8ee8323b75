import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { asOwner, call, createPages, withDirectory, withServers } from "./fixture.ts";
import { startPeer, startZoneward } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios } from "./rounds.ts";

const size = { rounds: 5, requests: 10_000, warmUp: 10_000 };

/** An authenticated page of 20 records beside bare `node:http` that answers the same body. */
export async function page(): Promise<Finding[]> {
  return withDirectory(async (directory) => {
    const answer = join(directory, "answer.json");
    return withServers([() => startZoneward(join(directory, "data"))], async (zoneward) => {
      const paths = await createPages(zoneward);
      writeFileSync(answer, await call(zoneward, "GET", paths[0] ?? ""));

      const peers = [() => startPeer("stringify", answer), () => startPeer("prebuilt", answer)] as const;
      return withServers(peers, async (stringify, prebuilt) => {
        const wires = paths.map((path) => Buffer.from(asOwner("GET", path)));
        const inTurns = (n: number): Buffer => wires[n % wires.length] as Buffer;
        const same = (): Buffer => wires[0] as Buffer;
        const { costs, refused } = await measureInTurns(
          {
            read: { server: zoneward, request: inTurns },
            stringify: { server: stringify, request: same },
            prebuilt: { server: prebuilt, request: same },
          },
          size,
        );
        return [
          {
            what: "page of 20 records, read / bare node:http with JSON.stringify",
            values: ratios(costs.read, costs.stringify),
            unit: "x",
            budget: { most: 2.2 },
          },
          {
            what: "page of 20 records, read / bare node:http with a prebuilt body",
            values: ratios(costs.read, costs.prebuilt),
            unit: "x",
          },
          { what: "page of 20 records, read, CPU", values: costs.read, unit: "us" },
          { what: "bare node:http with JSON.stringify, CPU", values: costs.stringify, unit: "us" },
          { what: "bare node:http with a prebuilt body, CPU", values: costs.prebuilt, unit: "us" },
          { what: "pages, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
        ] satisfies Finding[];
      });
    });
  });
}
