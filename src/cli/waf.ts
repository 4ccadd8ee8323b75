import { createContext } from "../process/open-store.ts";
import { findAccountCalled } from "../resources/accounts/accounts.ts";
import { migrateZones, type MigrationOutcome } from "../resources/waf-migration/migrate-zones.ts";
import { planZoneMigration, type ZoneMigrationPlan } from "../resources/waf-migration/waf-migration.ts";
import { planNames, type PlanName } from "../resources/zones/zones.ts";
import { readCoreRules } from "../process/core-rules.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { withExistingStore } from "./existing-store.ts";
import { printable } from "./printable.ts";
import { withProgress } from "./progress.ts";
import { replay } from "./waf-replay.ts";

/**
 * `zoneward waf plan | migrate | replay`: the migration of a zone or of many, and a comparison of both WAF
 * versions.
 */
export async function waf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command === "plan") return plan(rest, env);
    if (command === "migrate") return migrate(rest, env);
    if (command === "replay") return replay(rest, env);
    throw unknownCommand("waf", command);
  });
}

async function plan(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, switched, settings } = readCommand(args, { flags: ["zone"], switches: ["json"] });
  const { zone } = values;
  if (zone === undefined) throw new UsageError("--zone: needs the name or id of a zone");
  await withExistingStore(settings, env, async (db) => {
    const planned = await planZoneMigration(createContext(db), zone);
    process.stdout.write(switched.json ? `${JSON.stringify(planned, null, 2)}\n` : describe(planned));
  });
}

/** Prints refused zones on standard output as they come; any of them makes the exit code 1. */
async function migrate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, switched, settings } = readCommand(args, {
    flags: ["account", "plan"],
    switches: ["validate", "dry-run", "json"],
  });
  const zonePlan = values.plan === undefined ? undefined : readPlan(values.plan);
  await withExistingStore(settings, env, async (db, { vendor, crs }) => {
    const coreRules = await readCoreRules(crs);
    const account =
      values.account === undefined ? undefined : await findAccountCalled(db.read, values.account);
    const { total, outcomes } = await migrateZones(
      createRulesetContext(createContext(db), vendor, () => coreRules),
      { interface: "CLI" },
      {
        to: switched.validate ? "validation" : "new",
        accountId: account?.id,
        plan: zonePlan,
        dryRun: switched["dry-run"],
      },
    );
    const counts = { migrated: 0, "would-migrate": 0, refused: 0 };
    await withProgress(async (progress) => {
      for await (const outcome of outcomes) {
        counts[outcome.outcome] += 1;
        if (switched.json || outcome.outcome === "refused") progress.end();
        tell(outcome, switched.json);
        const done = counts.migrated + counts["would-migrate"] + counts.refused;
        progress.show(done, total, `zones, ${counts.refused} refused`);
      }
    });
    if (!switched.json) process.stdout.write(tableOf(counts));
    if (counts.refused > 0) throw new Error(`${counts.refused} zones were refused and left as they are`);
  });
}

type Counts = Readonly<Record<MigrationOutcome["outcome"], number>>;

function tell(outcome: MigrationOutcome, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  } else if (outcome.outcome === "refused") {
    const reasons = outcome.reasons.map(({ message }) => `  ${printable(message)}\n`);
    process.stdout.write(`${outcome.zone} cannot migrate:\n${reasons.join("")}`);
  }
}

function tableOf(counts: Counts): string {
  const rows = [
    ["Migrated", counts.migrated],
    ["Would migrate", counts["would-migrate"]],
    ["Refused", counts.refused],
  ] as const;
  return rows.map(([label, count]) => `${label.padEnd(14)} ${count}\n`).join("");
}

function readPlan(text: string): PlanName {
  const found = planNames.find((name) => name === text);
  if (found === undefined) throw new UsageError(`--plan: must be one of ${planNames.join(", ")}`);
  return found;
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
    ...obstacles.map(({ message }) => `  ${printable(message)}`),
    "",
    ...consequences.map(({ setting, becomes }) =>
      becomes === null
        ? `  ${printable(setting)}\n    is lost`
        : `  ${printable(setting)}\n    becomes ${printable(becomes)}`,
    ),
    "",
    ...ruleset.rules.map(
      ({ action, enabled, expression }, index) =>
        `  ${index + 1}. ${action}${enabled ? "" : " (disabled)"}  ${printable(expression)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
