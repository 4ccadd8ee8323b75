import { join } from "node:path";

import { asOwner, call, withDirectory, withZoneward } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios, type Contestant } from "./rounds.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const size = { rounds: 5, requests: 6_000, warmUp: 6_000 };
const changeEvery = 32;
const smallestPage = 5;

const largeCount = 1_000_000;

/** The first page of a zone with 1,000,000 records beside that of one with 1,000, and beside its last page. */
export async function largeZone(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    const zones = await withZoneward(data, async (server) => ({
      small: await createFirstRecord(server, "small.example"),
      large: await createFirstRecord(server, "large.example"),
    }));
    const file = join(data, "zoneward.sqlite");
    await multiplyRecord(file, zones.small, 1_000);
    await multiplyRecord(file, zones.large, largeCount);

    return withZoneward(data, async (server) => {
      const { costs, refused } = await measureInTurns(
        {
          small: await pages(server, zones.small, "", firstPage),
          large: await pages(server, zones.large, "", firstPage),
          last: await pages(server, zones.large, "", lastFullPage),
          smallByName: await pages(server, zones.small, "&order=name", firstPage),
          largeByName: await pages(server, zones.large, "&order=name", firstPage),
          lastByName: await pages(server, zones.large, "&order=name", lastFullPage),
        },
        size,
      );
      const budget = { most: 1.2 };
      const budgetOfLast = { most: 2 };
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
        {
          what: "last page of 1,000,000 records / first page, default order",
          values: ratios(costs.last, costs.large),
          unit: "x",
          budget: budgetOfLast,
        },
        {
          what: "last page of 1,000,000 records / first page, by name",
          values: ratios(costs.lastByName, costs.largeByName),
          unit: "x",
          budget: budgetOfLast,
        },
        { what: "first page of 1,000,000, default order, CPU", values: costs.large, unit: "us" },
        { what: "first page of 1,000, default order, CPU", values: costs.small, unit: "us" },
        { what: "last page of 1,000,000, default order, CPU", values: costs.last, unit: "us" },
        { what: "pages of large zones, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
      ] satisfies Finding[];
    });
  });
}

const firstPage = (): number => 1;
/** One that is as long as the first: what is left over behind it would be cheaper. */
const lastFullPage = (perPage: number): number => Math.floor(largeCount / perPage);

/**
 * Pages of 6 to 36 records. No two between changes of the zone are the same, so that each is read from the
 * store and none is remembered; one request in 32 is such a change.
 */
async function pages(
  server: ServerProcess,
  zoneId: string,
  order: string,
  pageOf: (perPage: number) => number,
): Promise<Contestant> {
  const path = `/zones/${zoneId}/dns_records`;
  const { result } = JSON.parse(await call(server, "GET", `${path}?per_page=1`)) as {
    result: [{ id: string }];
  };
  const requests = Array.from({ length: changeEvery }, (_, n) => {
    const perPage = smallestPage + n;
    return Buffer.from(asOwner("GET", `${path}?page=${pageOf(perPage)}&per_page=${perPage}${order}`));
  });
  return {
    server,
    request: (n) =>
      n % changeEvery === 0
        ? asOwner("PATCH", `${path}/${result[0].id}`, { comment: `Change ${n}` })
        : (requests[n % changeEvery] as Buffer),
  };
}
