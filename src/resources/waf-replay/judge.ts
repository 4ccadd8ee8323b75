import { isIP } from "node:net";
import { isWithin } from "../../core/dns/content/name.ts";
import type { PreviousMatch } from "../../core/previous-waf/judge.ts";
import type { RecordedRequest } from "../../core/recorded-requests/recorded-request.ts";
import { ruleMatchesOf, type RuleMatch } from "../../core/judging/rule-matches.ts";
import { judgeRequest, type JudgingZone, type RunningRules } from "../../core/judging/judge-request.ts";
import { isAhead, managedPhase } from "../../core/rulesets/phases.ts";
import type { OwaspScores } from "../../core/judging/owasp-scores.ts";
import { describeText, splitUrl } from "../../core/judging/described-request.ts";
import { requestLimits } from "../../core/judging/request-fields.ts";
import { parseTimestamp } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** A recorded request for a host of the zone. */
export interface ReplayableRequest {
  readonly recorded: RecordedRequest;
  readonly parts: NonNullable<ReturnType<typeof splitUrl>>;
  /** The client's address if it was recorded, otherwise the caller's. */
  readonly address: string;
  /** Undefined without a valid time. */
  readonly recordedAt: Date | undefined;
}

/** Undefined for a request to another host. */
export function ofZone(
  recorded: RecordedRequest,
  { name }: Pick<ZoneRow, "name">,
  caller: string,
): ReplayableRequest | undefined {
  // Only the beginning is parsed: URLs of other hosts may have any length.
  const parts = splitUrl(recorded.url.slice(0, requestLimits.urlLengthMax));
  if (parts === undefined || !isWithin(parts.host, name)) return undefined;
  const { client = "", startedOn } = recorded;
  const timestamp = startedOn === undefined ? undefined : parseTimestamp(startedOn);
  return {
    recorded,
    parts,
    address: isIP(client) === 0 ? caller : client,
    recordedAt: timestamp === undefined ? undefined : new Date(timestamp),
  };
}

export interface Judges extends JudgingZone {
  readonly rules: RunningRules;
  /** For requests without a time. */
  readonly now: Date;
}

export interface Verdict {
  /** The matches of phases before the managed rules. */
  readonly earlier: readonly RuleMatch[];
  /** Whether an earlier rule stopped the request. */
  readonly isDecidedEarlier: boolean;
  readonly new: readonly RuleMatch[];
  readonly previous: readonly PreviousMatch[];
  readonly scores: OwaspScores;
  /** The status that the new version answers; undefined where it lets the request pass. */
  readonly status: number | undefined;
}

/** Evaluates a request by the new version and then by the previous one. */
export function judge(
  { rules, now, ...zone }: Judges,
  { recorded, parts, address, recordedAt = now }: ReplayableRequest,
): Verdict {
  const { method, protocol } = recorded;
  const sent = describeText(recorded, parts);
  const time = Math.floor(recordedAt.getTime() / 1000);
  const described = { ...sent, method, protocol, address, time };
  const { decided, trace, previousMatches, scores } = judgeRequest(rules, zone, described, parts);
  // Rules that skip decide nothing.
  const matches = ruleMatchesOf(trace).filter(({ action }) => action !== "skip");
  return {
    earlier: matches.filter(({ stage }) => stage !== managedPhase),
    isDecidedEarlier: decided !== undefined && isAhead(decided.stage, managedPhase),
    new: matches.filter(({ stage }) => stage === managedPhase),
    previous: previousMatches,
    scores: scores(),
    status: decided?.status,
  };
}
