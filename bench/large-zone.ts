import { join } from "node:path";

import { asOwner, withDirectory, withZoneward } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios, type Contestant } from "./rounds.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const size = { rounds: 5, requests: 6_000, warmUp: 6_000 };
const sizes = { smallest: 6, count: 31 };

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
          small: pages(server, zones.small, "", firstPage),
          large: pages(server, zones.large, "", firstPage),
          last: pages(server, zones.large, "", lastFullPage),
          smallByName: pages(server, zones.small, "&order=name", firstPage),
          largeByName: pages(server, zones.large, "&order=name", firstPage),
          lastByName: pages(server, zones.large, "&order=name", lastFullPage),
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

/** Pages of 6 to 36 records. */
function pages(
  server: ServerProcess,
  zoneId: string,
  order: string,
  pageOf: (perPage: number) => number,
): Contestant {
  const requests = Array.from({ length: sizes.count }, (_, n) => {
    const perPage = sizes.smallest + n;
    const query = `page=${pageOf(perPage)}&per_page=${perPage}${order}`;
    return Buffer.from(asOwner("GET", `/zones/${zoneId}/dns_records?${query}`));
  });
  return { server, request: (n) => requests[n % sizes.count] as Buffer };
}
