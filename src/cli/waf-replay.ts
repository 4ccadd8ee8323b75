import { readFile } from "node:fs/promises";

import { AppError } from "../core/error.ts";
import { createContext } from "../process/open-store.ts";
import type { ReplayedRequest, ReplayReport } from "../resources/waf-replay/schema.ts";
import { replayRecording } from "../resources/waf-replay/waf-replay.ts";
import { findZoneCalled, shownName } from "../resources/zones/zones.ts";
import { readCoreRules } from "../process/core-rules.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import { readCommand, UsageError } from "./command-line.ts";
import { withExistingStore } from "./existing-store.ts";
import { printable } from "./printable.ts";
import { withProgress } from "./progress.ts";

/** `zoneward waf replay`: compares how both versions of the WAF managed rules judge recorded requests. */
export async function replay(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
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
      switched.json ? `${JSON.stringify(report, null, 2)}\n` : describe(shownName(zone), report),
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

function describe(zone: string, report: ReplayReport): string {
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
