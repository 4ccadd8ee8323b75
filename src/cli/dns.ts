import { readFile } from "node:fs/promises";

import {
  readCommand,
  runToEnd,
  UsageError,
  unknownCommand,
  withExistingStore,
  printable,
} from "./command-line.ts";
import { createLogger } from "./logger.ts";
import { proxiedAddressesOf } from "../config/dns-settings.ts";
import { originNetworksOf } from "../config/edge-settings.ts";
import type { Config } from "../config/settings.ts";
import { toAsciiName } from "../core/dns/content/name.ts";
import { answerQuestion } from "../core/dns/served/answer.ts";
import { showRecordSet } from "../core/dns/served/show.ts";
import type { Answer } from "../core/dns/served/sources.ts";
import { rcodeName, typeCode } from "../core/dns/wire/codes.ts";
import type { Question } from "../core/dns/wire/message.ts";
import { OutsideTargets } from "../name-server/outside-addresses.ts";
import { createDnsResolver } from "../network/dns-resolver.ts";
import { zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { ActiveZones } from "../planes/active-zones.ts";
import { ServedZones } from "../planes/dns/served-zones.ts";
import { secretKeySourceOf, createContext } from "../process/open-store.ts";
import { addZoneFile } from "../resources/dns-records/import.ts";
import { findZoneCalled, shownName } from "../resources/zones/zones.ts";
import type { NamedZone } from "../resources/zone-documents/zone-documents.ts";
import { createSecretBox } from "../secrets/secret-box.ts";
import type { Database } from "../storage/database.ts";

/** `zoneward dns query | import`: asks the name server and explains its answer, or imports zone files. */
export async function dns(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command === "import") return importRecords(rest, env);
    if (command !== "query") throw unknownCommand("dns", command);
    const { positionals, settings } = readCommand(rest, { positionalsMax: 2 });
    const question = readQuestion(positionals);
    await withExistingStore(settings, env, async (db, config) => {
      process.stdout.write(await explain(db, config, question));
    });
  });
}

function readQuestion([name, type = "A"]: readonly string[]): Pick<Question, "name" | "type"> {
  if (name === undefined) throw new UsageError("dns query needs a name; see zoneward dns --help");
  const ascii = toAsciiName(name);
  const code = typeCode(type);
  if (ascii === undefined) throw new UsageError(`${name}: is no name`);
  if (code === undefined) throw new UsageError(`${type}: is no type of records`);
  return { name: ascii, type: code };
}

async function explain(
  db: Database,
  config: Config,
  question: Pick<Question, "name" | "type">,
): Promise<string> {
  const secretBox = createSecretBox(secretKeySourceOf(config));
  const context = { db, settings: zoneSettingsOf(config), secretBox };
  const index = new ActiveZones(db, () => new Date());
  const zones = new ServedZones(context, index, createLogger(config.log_level), {
    edgeAddresses: proxiedAddressesOf(config),
    octetsMax: config.dns_zones_bytes_max,
  });
  await zones.start();
  const resolver = createDnsResolver(config.resolvers);
  try {
    const targets = new OutsideTargets(resolver.lookUpAddresses, () => performance.now());
    for (;;) {
      const steps: string[] = [];
      let cold: NamedZone | undefined;
      const answer = answerQuestion(
        question,
        {
          zoneOf: (name, isAbove) => {
            const view = zones.index.enclosing(name, isAbove);
            cold ??= zones.index.cold;
            return view;
          },
          outside: targets.addressesOf,
          explain: (step) => void steps.push(step),
        },
        true,
      );
      if (cold !== undefined) {
        await zones.read(cold);
        continue;
      }
      if (!("name" in answer)) return render(steps, answer);
      await targets.lookUp(answer, "");
    }
  } finally {
    await zones.stop();
    await index.stop();
    resolver.close();
  }
}

function render(steps: readonly string[], answer: Answer): string {
  const sections = { answer: answer.answers, authority: answer.authorities, additional: answer.additionals };
  const records = Object.entries(sections).flatMap(([title, sets]) =>
    sets.length === 0 ? [] : [`; ${title}`].concat(sets.flatMap(showRecordSet)),
  );
  const code = `${rcodeName(answer.rcode)}${answer.isAuthoritative ? ", authoritative" : ""}`;
  return `${[...steps.map((step) => `; ${step}`), code, ...records].join("\n")}\n`;
}

/** `zoneward dns import`: adds the records of a zone file, and prints those that the API refuses. */
async function importRecords(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
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
