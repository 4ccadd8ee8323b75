import { readConfig } from "../config.ts";
import { createContext, openExistingStore } from "../open-store.ts";
import { planZoneMigration, type ZoneMigrationPlan } from "../resources/waf-migration/waf-migration.ts";
import { runToEnd, takeFlags, UsageError } from "./command-line.ts";

/** `zoneward waf plan`: what the migration of a zone would do. It changes nothing. */
export async function waf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command !== "plan")
      throw new UsageError(`unknown command \`waf ${command}\`; see zoneward waf --help`);
    const isJson = rest.includes("--json");
    const { taken, others } = takeFlags(
      rest.filter((argument) => argument !== "--json"),
      ["zone"],
    );
    if (taken.zone === undefined) throw new UsageError("--zone: needs the name or the id of a zone");
    const { config } = await readConfig(others, env);
    const db = await openExistingStore(config);
    try {
      const plan = await planZoneMigration(createContext(db), taken.zone);
      process.stdout.write(isJson ? `${JSON.stringify(plan, null, 2)}\n` : describe(plan));
    } finally {
      await db.close();
    }
  });
}

function describe({
  zone,
  migration_state,
  eligible,
  obstacles,
  consequences,
  ruleset,
}: ZoneMigrationPlan): string {
  const lines = [
    `${zone.name} (${zone.plan}, migration state ${migration_state})`,
    eligible ? "It can migrate." : "It cannot migrate:",
    ...obstacles.map(({ message }) => `  ${message}`),
    "",
    ...consequences.map(({ setting, becomes }) =>
      becomes === null ? `  ${setting}\n    is lost` : `  ${setting}\n    becomes ${becomes}`,
    ),
    "",
    ...ruleset.rules.map(
      ({ action, enabled, expression }, index) =>
        `  ${index + 1}. ${action}${enabled ? "" : " (disabled)"}  ${expression}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
