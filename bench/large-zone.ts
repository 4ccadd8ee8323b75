import { join } from "node:path";

import { asOwner, call, withDirectory, withZoneward } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios, type Contestant } from "./rounds.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const size = { rounds: 5, requests: 6_000, warmUp: 6_000 };
const changeEvery = 32;
const smallestPage = 5;

/** The first page of a zone with 1,000,000 records beside that of one with 1,000. */
export async function largeZone(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    const zones = await withZoneward(data, async (server) => ({
      small: await createFirstRecord(server, "small.example"),
      large: await createFirstRecord(server, "large.example"),
    }));
    const file = join(data, "zoneward.sqlite");
    await multiplyRecord(file, zones.small, 1_000);
    await multiplyRecord(file, zones.large, 1_000_000);

    return withZoneward(data, async (server) => {
      const { costs, refused } = await measureInTurns(
        {
          small: await firstPages(server, zones.small, ""),
          large: await firstPages(server, zones.large, ""),
          smallByName: await firstPages(server, zones.small, "&order=name"),
          largeByName: await firstPages(server, zones.large, "&order=name"),
        },
        size,
      );
      const budget = { most: 1.2 };
      return [
        {
          what: "first page, 1,000,000 records / 1,000, default order",
          values: ratios(costs.large, costs.small),
          unit: "x",
          budget,
        },
        {
          what: "first page, 1,000,000 records / 1,000, by name",
          values: ratios(costs.largeByName, costs.smallByName),
          unit: "x",
          budget,
        },
        { what: "first page of 1,000,000, default order, CPU", values: costs.large, unit: "us" },
        { what: "first page of 1,000, default order, CPU", values: costs.small, unit: "us" },
        { what: "first pages, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
      ] satisfies Finding[];
    });
  });
}

/**
 * First pages of 6 to 36 records. No two between changes of the zone are the same, so that each is read from
 * the store and none is remembered; one request in 32 is such a change.
 */
async function firstPages(server: ServerProcess, zoneId: string, order: string): Promise<Contestant> {
  const path = `/zones/${zoneId}/dns_records`;
  const { result } = JSON.parse(await call(server, "GET", `${path}?per_page=1`)) as {
    result: [{ id: string }];
  };
  const pages = Array.from({ length: changeEvery }, (_, n) =>
    Buffer.from(asOwner("GET", `${path}?per_page=${smallestPage + n}${order}`)),
  );
  return {
    server,
    request: (n) =>
      n % changeEvery === 0
        ? asOwner("PATCH", `${path}/${result[0].id}`, { comment: `Change ${n}` })
        : (pages[n % changeEvery] as Buffer),
  };
}
