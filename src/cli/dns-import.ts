import { readFile } from "node:fs/promises";

import { originNetworksOf } from "../config/edge-settings.ts";
import { addZoneFile } from "../resources/dns-records/import.ts";
import { findZoneCalled, shownName } from "../resources/zones/zones.ts";
import { createContext } from "../process/open-store.ts";
import { readCommand, UsageError } from "./command-line.ts";
import { withExistingStore } from "./existing-store.ts";
import { printable } from "./printable.ts";

/** `zoneward dns import`: adds the records of a zone file, and prints those that the API refuses. */
export async function importRecords(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, switched, settings } = readCommand(args, {
    switches: ["proxied"],
    positionalsMax: 2,
  });
  const [nameOrId, path] = positionals;
  if (nameOrId === undefined || path === undefined) {
    throw new UsageError("dns import needs the name or id of a zone, and a file; see zoneward dns --help");
  }
  const file = await readFile(path);
  await withExistingStore(settings, env, async (db, config) => {
    const zone = await findZoneCalled(db.read, nameOrId);
    const { result, messages } = await addZoneFile(
      { ...createContext(db), originNetworks: originNetworksOf(config) },
      { interface: "CLI" },
      { zoneId: zone.id, file, isProxied: switched.proxied },
    );
    const refused = messages.map(({ code, message }) => `${printable(message)} (${code})\n`);
    const counts = `${result.recs_added} of ${result.total_records_parsed} records were added to ${shownName(zone)}.\n`;
    process.stdout.write(refused.join("") + counts);
  });
}
