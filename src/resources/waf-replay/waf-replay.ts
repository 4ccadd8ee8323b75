import { setImmediate as nextTurn } from "node:timers/promises";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody, invalidRequest } from "../../core/error.ts";
import type { FormBody } from "../../core/forms/multipart.ts";
import { readUpload, textOfFile } from "../../core/forms/upload.ts";
import type { PreviousMatch } from "../../core/previous-waf/judge.ts";
import { readRecording } from "../../core/recorded-requests/recording.ts";
import type { RuleMatch } from "../../core/judging/rule-matches.ts";
import { managedPhase } from "../../core/rulesets/phases.ts";
import { excessivePart } from "../../core/judging/request-fields.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import type { Ruleset } from "../../core/rulesets/ruleset.ts";
import { planMigration } from "../../core/waf-plan/plan.ts";
import type { ProposedRule } from "../../core/waf-plan/proposed-rule.ts";
import type { PreviousWaf } from "../../core/previous-waf/previous-waf.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Actor } from "../../operation/audit.ts";
import { findZone, zoneUnitOfWork } from "../../operation/scope.ts";
import type { OfAccount, Task } from "../../operation/task.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import {
  previousEventOf,
  recordSecurityEvents,
  toEventMatches,
  type Judgement,
} from "../security-events/security-events.ts";
import { readPreviousWaf, stateOf } from "../waf-migration/waf-migration.ts";
import { withRulesOf } from "../zone-documents/zone-documents.ts";
import { judge, ofZone, type ReplayableRequest, type Verdict } from "./judge.ts";
import { ReplayTally } from "./report.ts";
import type { ActedRule, ReplayProgress, ReplayReport } from "./schema.ts";
import { isWithin } from "../../core/dns/content/name.ts";

export const replayFileBytesMax = 16 * 1024 * 1024;

interface Replay {
  /** A HAR or a log, in UTF-8. */
  readonly file: Uint8Array;
  /** The host of a log; the zone's name by default. */
  readonly host: string | undefined;
  /** The caller's, for requests without a client address. */
  readonly address: string;
}

interface ReplayForm extends OfAccount {
  readonly zoneId: string;
  /** The fields `file` and `host` of `Replay`. */
  readonly form: FormBody;
}

/**
 * Always in a worker, as the cost of a request depends on the rules. Returns the report as JSON, up to some
 * megabytes.
 */
export const replayRequestsTask: Task<RulesetContext, ReplayForm, string> = {
  name: "replayRequests",
  isSmall: () => false,
  isBrief: false,
  handsOver: ({ form }) => [form.bytes.buffer],
  run: async (context, caller, { zoneId, form }, report) => {
    const { file, fields } = readUpload(form);
    // A link-local address carries its interface.
    const address = caller.address.replace(/%.*$/, "");
    return JSON.stringify(
      await replayRecording(context, caller, zoneId, { file, host: fields["host"], address }, report),
    );
  },
};

/**
 * Evaluates recorded requests, in the order in which they were recorded, by the new version of the managed
 * rules and then by the previous one, records security events for those in force, and reports the
 * differences. A zone with only the previous version is compared with what a migration would make of it.
 * Nothing is sent. What is unreadable, or of the zone and beyond `requestLimits`, is skipped. Errors: those
 * of `readRecording`, 400 code 40023 without a request for the zone, 1003 for a host outside the zone, 413
 * code 10413 for a file above 16 MiB, 404 code 1001.
 */
export async function replayRecording(
  context: RulesetContext,
  actor: Actor,
  zoneId: string,
  replay: Replay,
  onProgress: (progress: ReplayProgress) => void = () => undefined,
): Promise<ReplayReport> {
  const zone = await findZone(context.db.read, zoneId);
  const { format, requests, otherHosts, unreadable } = readReplay(zone, replay, context.now());
  const previous = zone.waf === "new" ? undefined : await readPreviousWaf(context.db.read, zone);
  const proposed = zone.waf === "previous" && previous ? proposedEntryPoint(previous) : undefined;
  await zoneUnitOfWork(context, actor, zone.id, async ({ audit }) =>
    audit({
      action: "waf_replay",
      id: zone.id,
      metadata: { requests: requests.length },
    }),
  );
  const tally = new ReplayTally();
  let events = 0;
  onProgress({ judged: 0, requests: requests.length, recorded_on: null });
  for (let from = 0; from < requests.length; from += judgedAtOnce) {
    const portion = requests.slice(from, from + judgedAtOnce);
    const verdicts = await judgeRequests(context, { zone, previous, proposed }, portion);
    const judgements = verdicts.map(({ request, verdict }) => {
      addOutcome(tally, request, verdict, previous !== undefined);
      return judgementOf(request, verdict, zone);
    });
    events += await recordSecurityEvents(context, zone, judgements);
    onProgress({
      judged: from + portion.length,
      requests: requests.length,
      recorded_on: portion.at(-1)?.recordedAt?.toISOString() ?? null,
    });
    // Lets other requests run between two portions.
    await nextTurn();
  }
  return tally.report({
    format,
    migration_state: stateOf(zone),
    new_configuration: proposed === undefined ? "deployed" : "proposed",
    requests: { judged: requests.length, other_hosts: otherHosts, unreadable: unreadable.count },
    unreadable_entries: [...unreadable.listed],
    judgesPrevious: previous !== undefined,
    events,
  });
}

/** Keeps other requests from waiting long. */
const judgedAtOnce = 20;

function readReplay(zone: ZoneRow, { file, host = zone.name, address }: Replay, now: Date) {
  if (file.length > replayFileBytesMax) {
    throw new AppError(
      "too-large",
      errorCodes.request.bodyTooLarge,
      `The file exceeds ${replayFileBytesMax} bytes`,
      { pointer: "/file" },
    );
  }
  const name = host.toLowerCase();
  if (!/^[a-z0-9._-]+$/.test(name) || !isWithin(name, zone.name)) {
    throw invalidBody("/host", `must be within the zone ${zone.name}`);
  }
  const { format, requests: recorded, unreadable } = readRecording(textOfFile(file), name);
  const found = recorded.flatMap((request) => ofZone(request, zone, address) ?? []);
  const requests = found.filter(({ recorded: request }) => {
    const excess = excessivePart(request);
    if (excess !== undefined) unreadable.add(request.entry, `${excess.part} ${excess.rule}`);
    return excess === undefined;
  });
  if (requests.length === 0) {
    const [skipped] = unreadable.listed;
    const why = skipped === undefined ? "" : `: entry ${skipped.entry} ${skipped.reason}`;
    throw invalidRequest(
      errorCodes.recordedRequests.noneOfZone,
      `The file holds no request for a host of ${zone.name} that can be judged${why}`,
      "/file",
    );
  }
  return {
    format,
    requests: inOrderOfTime(requests, now),
    otherHosts: recorded.length - found.length,
    unreadable,
  };
}

/** A request without a time is judged at that of the replay. */
function inOrderOfTime(requests: readonly ReplayableRequest[], now: Date): ReplayableRequest[] {
  const timeOf = ({ recordedAt = now }: ReplayableRequest): number => recordedAt.getTime();
  return requests.toSorted((one, other) => timeOf(one) - timeOf(other));
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
  const now = context.now();
  return withRulesOf(context, { zone, sources: requests, proposed }, ({ rules, judging }) => {
    // The report compares with the previous version as it was when the replay began.
    const judges = { ...judging, rules, previous, now };
    return requests.map((request) => ({ request, verdict: judge(judges, request) }));
  });
}

/** The entry point after a migration; its rules have no ids yet. */
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
  { recorded, recordedAt }: ReplayableRequest,
  verdict: Verdict,
  judgesPrevious: boolean,
): void {
  if (verdict.isDecidedEarlier) {
    tally.addDecidedEarlier();
    return;
  }
  tally.add({
    request: recorded,
    recordedAt,
    new: decisive(verdict.new.map((match) => actedRule(match.rulesetId, match))),
    previous: judgesPrevious
      ? decisive(verdict.previous.map((match) => actedRule(match.packageId, match)))
      : undefined,
    scores: verdict.scores,
  });
}

/** The last rule if it stopped the request, otherwise the first that logged it. */
function decisive(rules: readonly ActedRule[]): ActedRule | null {
  const last = rules.at(-1);
  return (last?.action === "log" ? rules[0] : last) ?? null;
}

function actedRule(
  ruleset_id: string,
  { action, ruleId, description, score }: RuleMatch | PreviousMatch,
): ActedRule {
  return {
    action,
    ruleset_id,
    rule_id: ruleId,
    description,
    ...(score !== undefined && { score }),
  };
}

/** The matches of the rules in force, as security events. */
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
    matches: [
      ...toEventMatches([...earlier, ...(isNewInForce ? byNew : [])]),
      ...previous.map(previousEventOf),
    ],
    // Distinguishes it from live requests.
    metadata: { replayed: "true", ...(recorded.startedOn && { recorded_on: recorded.startedOn }) },
  };
}
