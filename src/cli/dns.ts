import { proxiedAddressesOf } from "../config/dns-settings.ts";
import type { Config } from "../config/settings.ts";
import { toAsciiName } from "../core/dns/content/name.ts";
import { answerQuestion } from "../core/dns/served/answer.ts";
import { showRecordSet } from "../core/dns/served/show.ts";
import type { Answer } from "../core/dns/served/sources.ts";
import { rcodeName, typeCode } from "../core/dns/wire/codes.ts";
import type { Question } from "../core/dns/wire/message.ts";
import { OutsideTargets } from "../name-server/outside-addresses.ts";
import { createDnsResolver } from "../network/dns-resolver.ts";
import { createSecretBox } from "../secrets/secret-box.ts";
import { zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { secretKeySourceOf } from "../process/open-store.ts";
import { ServedZones } from "../planes/dns/served-zones.ts";
import type { Database } from "../storage/database.ts";
import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { importRecords } from "./dns-import.ts";
import { withExistingStore } from "./existing-store.ts";
import { createLogger } from "./logger.ts";

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
  const zones = new ServedZones(context, proxiedAddressesOf(config), createLogger(config.log_level));
  await zones.read();
  const resolver = createDnsResolver(config.resolvers);
  try {
    const targets = new OutsideTargets(resolver.lookUpAddresses, () => performance.now());
    for (;;) {
      const steps: string[] = [];
      const answer = answerQuestion(
        question,
        {
          zoneOf: (name, isAbove) => zones.index.enclosing(name, isAbove),
          outside: targets.addressesOf,
          explain: (step) => void steps.push(step),
        },
        true,
      );
      if (!("name" in answer)) return render(steps, answer);
      await targets.lookUp(answer, "");
    }
  } finally {
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
