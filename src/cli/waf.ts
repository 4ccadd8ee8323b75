import { readFile } from "node:fs/promises";

import {
  readCommand,
  runToEnd,
  UsageError,
  unknownCommand,
  withExistingStore,
  printable,
} from "./command-line.ts";
import { withProgress } from "./progress.ts";
import { AppError } from "../core/error.ts";
import { readCoreRules } from "../process/core-rules.ts";
import { createContext } from "../process/open-store.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import { findAccountCalled } from "../resources/accounts/accounts.ts";
import { migrateZones, type MigrationOutcome } from "../resources/waf-migration/migrate-zones.ts";
import { planZoneMigration, type ZoneMigrationPlan } from "../resources/waf-migration/waf-migration.ts";
import type { ReplayedRequest, ReplayReport } from "../resources/waf-replay/schema.ts";
import { replayRecording } from "../resources/waf-replay/waf-replay.ts";
import { planNames, type PlanName, findZoneCalled, shownName } from "../resources/zones/zones.ts";

/**
 * `zoneward waf plan | migrate | replay`: the migration of a zone or of many, and a comparison of both WAF versions.
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
    process.stdout.write(switched.json ? `${JSON.stringify(planned, null, 2)}\n` : describePlan(planned));
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

function describePlan({
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

/** `zoneward waf replay`: compares how both versions of the WAF managed rules judge recorded requests. */
async function replay(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, switched, positionals, settings } = readCommand(args, {
    flags: ["zone", "host"],
    switches: ["json"],
    positionalsMax: 1,
  });
  const { zone: nameOrId, host } = values;
  const [path] = positionals;
  if (nameOrId === undefined) throw new UsageError("--zone: needs the name or id of a zone");
  if (path === undefined) throw new UsageError("replay needs a file: a HAR or an access log");
  const file = await readFile(path);
  await withExistingStore(settings, env, async (db, { vendor, crs }) => {
    const zone = await findZoneCalled(db.read, nameOrId);
    const coreRules = await readCoreRules(crs);
    const context = createRulesetContext(createContext(db), vendor, () => coreRules);
    const recording = { file, host, address: "127.0.0.1" };
    const report = await withProgress(({ show }) =>
      inWords(() =>
        replayRecording(context, { interface: "CLI" }, zone.id, recording, ({ judged, requests }) =>
          show(judged, requests, "requests"),
        ),
      ),
    );
    process.stdout.write(
      switched.json ? `${JSON.stringify(report, null, 2)}\n` : describeReport(shownName(zone), report),
    );
  });
}

/** Adds the pointer into the HAR to the message of an error. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.pointer === undefined) throw error;
    throw new Error(`${error.message} (${error.pointer})`, { cause: error });
  }
}

function describeReport(zone: string, report: ReplayReport): string {
  const { requests, unreadable_entries, passed_by_new, acted_on_by_new, owasp_scores, events } = report;
  const { block, challenge, log } = report.new;
  const configuration =
    report.new_configuration === "proposed" ? "as a migration would configure it" : "as it is configured";
  const lines = [
    `${zone} (migration state ${report.migration_state})`,
    `${requests.judged} requests judged, ${requests.other_hosts} of other hosts and ${requests.unreadable} unreadable left out`,
    ...unreadable_entries.map(({ entry, reason }) => `  ${entry}. skipped: ${printable(reason)}`),
    `${requests.decided_earlier} decided by rules ahead of the managed rules, ${events} security events written`,
    "",
    `                  blocked  challenged  logged  passed`,
    outcomesOf("New version", report.new),
    ...(report.previous === null ? [] : [outcomesOf("Previous version", report.previous)]),
    `The new version ${configuration}.`,
    "",
    `What the previous version stops and the new one passes: ${countOf(report.passed_by_new_count, passed_by_new)}`,
    ...passed_by_new.map((request) => requestLine(request, request.previous)),
    `What the new version acts on: ${countOf(block + challenge + log, acted_on_by_new)}`,
    ...acted_on_by_new.map((request) => requestLine(request, request.new)),
    "",
    "OWASP score     highest   25 and up   40 and up   60 and up",
    ...owasp_scores.map(({ paranoia_level, highest, at_least_25, at_least_40, at_least_60 }) =>
      [
        `Paranoia ${paranoia_level}`.padEnd(14),
        String(highest).padStart(9),
        ...[at_least_25, at_least_40, at_least_60].map((count) => String(count).padStart(11)),
      ].join(" "),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function countOf(count: number, listed: readonly unknown[]): string {
  return listed.length < count ? `${count}, of which the first ${listed.length} are listed` : String(count);
}

function outcomesOf(label: string, { block, challenge, log, pass }: ReplayReport["new"]): string {
  const columns = [String(block).padStart(8), String(challenge).padStart(11), String(log).padStart(7)];
  return `${label.padEnd(17)}${columns.join(" ")} ${String(pass).padStart(7)}`;
}

function requestLine({ entry, method, url }: ReplayedRequest, rule: ReplayedRequest["new"]): string {
  const by = rule === null ? "" : `\n      ${rule.action} by ${rule.rule_id}, ${printable(rule.description)}`;
  return `  ${entry}. ${method} ${printable(url)}${by}`;
}
