import { setImmediate as nextTurn } from "node:timers/promises";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import type { FormBody } from "../../core/forms/multipart.ts";
import { readUpload, textOfFile } from "../../core/forms/upload.ts";
import type { PreviousAct } from "../../core/previous-waf/judge.ts";
import { malformedHar, type RecordedRequest } from "../../core/recorded-requests/recorded-request.ts";
import { readRecording } from "../../core/recorded-requests/recording.ts";
import type { Act } from "../../core/rulesets/acts.ts";
import { managedPhase } from "../../core/rulesets/phases.ts";
import { excessivePart } from "../../core/rulesets/request-limits.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import type { Ruleset } from "../../core/rulesets/ruleset.ts";
import { planMigration } from "../../core/waf-plan/plan.ts";
import type { ProposedRule } from "../../core/waf-plan/proposed-rule.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { Actor } from "../../operation/audit.ts";
import { findZone } from "../../operation/scope.ts";
import type { Task } from "../../operation/task.ts";
import { zoneUnitOfWork } from "../../operation/zone-unit-of-work.ts";
import { withProgramOf, type RulesetContext } from "../rulesets/rulesets.ts";
import { recordSecurityEvents, toRuleActs, type Judgement } from "../security-events/security-events.ts";
import { readUrlNormalization } from "../url-normalization/url-normalization.ts";
import { readPreviousWaf, stateOf } from "../waf-migration/waf-migration.ts";
import { judge, ofZone, type ReplayableRequest, type Verdict } from "./judge.ts";
import { previousEventOf } from "./previous-version.ts";
import { ReplayTally } from "./report.ts";
import type { ActedRule, ReplayReport } from "./schema.ts";

export { previousEventOf, previousWafJudge, scoresOf } from "./previous-version.ts";

export const replayFileBytesMax = 16 * 1024 * 1024;

interface Replay {
  /** Text of a HAR or of a log, in UTF-8. */
  readonly file: Uint8Array;
  /** The host that a log is of; the zone's name where it is left out. */
  readonly host: string | undefined;
  /** The address of who replays, for requests that do not say who sent them. */
  readonly address: string;
}

interface ReplayForm {
  readonly zoneId: string;
  /** Fields `file` and `host`, as of `Replay`. */
  readonly form: FormBody;
}

/**
 * Always in a worker: how long a request takes depends on the rules that it meets. Answers the JSON of
 * the report, which may be some megabytes.
 */
export const replayRequestsTask: Task<RulesetContext, ReplayForm, string> = {
  name: "replayRequests",
  isSmall: () => false,
  isBrief: false,
  handsOver: ({ form }) => [form.bytes.buffer],
  run: async (context, caller, { zoneId, form }) => {
    const { file, fields } = readUpload(form);
    // An address of one link alone carries its interface.
    const address = caller.address.replace(/%.*$/, "");
    return JSON.stringify(
      await replayRecording(context, caller, zoneId, { file, host: fields["host"], address }),
    );
  },
};

/**
 * Judges recorded requests by the new version of the WAF managed rules and
 * then by the previous one, writes what those in force make of them as security events, and says how they differ. A
 * zone that only has the previous version is judged by what a migration would make of it. Nothing is sent anywhere.
 * Errors: those of `readRecording`, 400 code 40021 for a request beyond `requestLimits`, 40023 where no request is for
 * the zone, 1003 for a host outside of the zone, 413 code 10413 for a file above 16 MiB, 404 code 1001.
 */
export async function replayRecording(
  context: RulesetContext,
  actor: Actor,
  zoneId: string,
  replay: Replay,
): Promise<ReplayReport> {
  const zone = await findZone(context.db.read, zoneId);
  const { format, requests, otherHosts, unreadable } = readReplay(zone, replay);
  const previous = zone.waf === "new" ? undefined : await readPreviousWaf(context.db.read, zone);
  const proposed = zone.waf === "previous" && previous ? proposedEntryPoint(previous) : undefined;
  await zoneUnitOfWork(context, actor, zone.id, async ({ audit }) =>
    audit({
      action: "waf_replay",
      resource: { type: "zone", id: zone.id },
      metadata: { requests: requests.length },
    }),
  );
  const tally = new ReplayTally();
  let events = 0;
  for (let from = 0; from < requests.length; from += judgedAtOnce) {
    const portion = requests.slice(from, from + judgedAtOnce);
    const verdicts = await judgeRequests(context, { zone, previous, proposed }, portion);
    const judgements = verdicts.map(({ request, verdict }) => {
      addOutcome(tally, request, verdict, previous !== undefined);
      return judgementOf(request, verdict, zone);
    });
    events += await recordSecurityEvents(context, zone, judgements);
    // Other requests are answered between two portions.
    await nextTurn();
  }
  return tally.report({
    format,
    migration_state: stateOf(zone),
    new_configuration: proposed === undefined ? "deployed" : "proposed",
    requests: { judged: requests.length, other_hosts: otherHosts, unreadable },
    judgesPrevious: previous !== undefined,
    events,
  });
}

/** Few enough that other requests do not wait long. */
const judgedAtOnce = 20;

function readReplay(zone: ZoneRow, { file, host = zone.name, address }: Replay) {
  if (file.length > replayFileBytesMax) {
    throw new AppError(
      "too-large",
      errorCodes.request.bodyTooLarge,
      `The file exceeds ${replayFileBytesMax} bytes`,
      { pointer: "/file" },
    );
  }
  const name = host.toLowerCase();
  if (!/^[a-z0-9._-]+$/.test(name) || (name !== zone.name && !name.endsWith(`.${zone.name}`))) {
    throw invalidBody("/host", `must be within the zone ${zone.name}`);
  }
  const { format, requests: recorded, unreadable } = readRecording(textOfFile(file), name);
  const requests = recorded.flatMap((request) => ofZone(request, zone, address) ?? []);
  for (const request of requests) refuseExcess(request.recorded);
  if (requests.length === 0) {
    throw new AppError(
      "invalid",
      errorCodes.recordedRequests.noneOfZone,
      `The file holds no request for a host of ${zone.name}`,
      { pointer: "/file" },
    );
  }
  return { format, requests, otherHosts: recorded.length - requests.length, unreadable };
}

/** Those of a HAR: lines of a log that are too long were left out already. Requests for other hosts do not matter. */
function refuseExcess(request: RecordedRequest): void {
  const excess = excessivePart(request);
  if (excess === undefined) return;
  throw malformedHar(`/log/entries/${request.entry - 1}/request/${excess.part}`, excess.rule);
}

interface Versions {
  readonly zone: ZoneRow;
  readonly previous: PreviousWaf | undefined;
  readonly proposed: Ruleset | undefined;
}

async function judgeRequests(
  context: RulesetContext,
  { zone, previous, proposed }: Versions,
  requests: readonly ReplayableRequest[],
): Promise<{ readonly request: ReplayableRequest; readonly verdict: Verdict }[]> {
  const { createContext } = await context.loadExpressionEngine();
  const urlNormalization = await readUrlNormalization(context.db.read, zone);
  const time = Math.floor(context.now().getTime() / 1000);
  const { vendor } = context;
  return withProgramOf(
    context,
    zone,
    (program, meets, lists) => {
      const judges = { zone, urlNormalization, vendor, program, meets, lists, createContext, previous, time };
      return requests.map((request) => ({ request, verdict: judge(judges, request) }));
    },
    proposed,
  );
}

/** The entry point that a migration would make: its rules have no ids yet. */
function proposedEntryPoint(previous: PreviousWaf): Ruleset {
  const { name, rules } = planMigration(previous).ruleset;
  return {
    id: "",
    name,
    description: "",
    kind: "zone",
    version: "",
    last_updated: "",
    phase: managedPhase,
    rules: rules.map(toRule),
  };
}

function toRule(proposed: ProposedRule): Rule {
  return { ...proposed, last_updated: "" };
}

function addOutcome(
  tally: ReplayTally,
  { recorded }: ReplayableRequest,
  verdict: Verdict,
  judgesPrevious: boolean,
): void {
  if (verdict.isDecidedEarlier) {
    tally.addDecidedEarlier();
    return;
  }
  tally.add({
    request: recorded,
    new: decisive(verdict.new.map(newRule)),
    previous: judgesPrevious ? decisive(verdict.previous.map(previousRule)) : undefined,
    scores: verdict.scores,
  });
}

/** The rule that ended the way of a request stands last; where none did, the first that noted it says most. */
function decisive(rules: readonly ActedRule[]): ActedRule | null {
  const last = rules.at(-1);
  return (last?.action === "log" ? rules[0] : last) ?? null;
}

function newRule({ action, rulesetId, ruleId, description, score }: Act): ActedRule {
  return {
    action,
    ruleset_id: rulesetId,
    rule_id: ruleId,
    description,
    ...(score !== undefined && { score }),
  };
}

function previousRule({ action, packageId, ruleId, description, score }: PreviousAct): ActedRule {
  return {
    action,
    ruleset_id: packageId,
    rule_id: ruleId,
    description,
    ...(score !== undefined && { score }),
  };
}

/** What is written down: the acts of rules that are in force. */
function judgementOf(
  { recorded, parts, address }: ReplayableRequest,
  { earlier, isDecidedEarlier, new: byNew, previous, status }: Verdict,
  zone: ZoneRow,
): Judgement {
  const isStopped = previous.some(({ action }) => action !== "log");
  const isNewInForce = zone.waf !== "previous";
  const answered = isNewInForce || isDecidedEarlier ? status : undefined;
  const { "user-agent": userAgent = "", referer = "" } = recorded.headers;
  return {
    request: {
      method: recorded.method,
      scheme: parts.isSecure ? "https" : "http",
      host: parts.host,
      path: parts.path,
      query: parts.query,
      protocol: recorded.protocol,
      userAgent,
      referer,
      address,
      country: "",
      edgeStatus: answered ?? (isStopped ? 403 : recorded.status),
      originStatus: recorded.status,
    },
    acts: [...toRuleActs([...earlier, ...(isNewInForce ? byNew : [])]), ...previous.map(previousEventOf)],
    // Tells it from a request that was sent just now.
    metadata: { replayed: "true", ...(recorded.startedOn && { recorded_on: recorded.startedOn }) },
  };
}
