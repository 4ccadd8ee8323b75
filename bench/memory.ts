import { asOwner, createPages, createZone, withDirectory, withZoneward } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { memoryMegabytes } from "./process.ts";
import type { Finding } from "./report.ts";

const requests = 100_000;
/** One request in ten creates a record, the others read the pages of many zones in turns. */
const createEvery = 10;

/** The memory of the process after 100,000 requests. */
export async function memory(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    // The first end writes the compile cache; a start without it takes more memory.
    await withZoneward(data, async () => undefined);
    return withZoneward(data, async (server) => {
      const atStart = memoryMegabytes(server.pid).now;
      const zoneId = await createZone(server, "memory.example");
      const pages = (await createPages(server)).map((page) => Buffer.from(asOwner("GET", page)));
      const path = `/zones/${zoneId}/dns_records`;
      const { refused } = await sendRequests({
        port: server.port,
        requests,
        request: (n) =>
          n % createEvery === 0
            ? asOwner("POST", path, { type: "A", name: `new-${n}`, content: "192.0.2.1" })
            : (pages[n % pages.length] as Buffer),
      });
      const { now, highest } = memoryMegabytes(server.pid);
      return [
        {
          what: "resident memory after 100,000 requests",
          values: [now],
          unit: "MB",
          budget: { most: 115 },
        },
        { what: "resident memory at its highest", values: [highest], unit: "MB" },
        { what: "resident memory before them", values: [atStart], unit: "MB" },
        { what: "of the 100,000, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
      ] satisfies Finding[];
    });
  });
}
