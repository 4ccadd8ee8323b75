import { BodyUnread } from "../../core/judging/described-request.ts";
import type { Judged } from "../../core/judging/judge-request.ts";
import { managedPhase } from "../../core/rulesets/phases.ts";
import {
  failedMatches,
  ruleMatchesOf,
  withOutcomes,
  type RuleMatch,
} from "../../core/judging/rule-matches.ts";
import { locationOf, rayIdOf } from "../../wire/ray.ts";
import type { ServedRequest, Serving } from "../serving.ts";
import type { Visited } from "../request/visited.ts";

/** Reports a request on which a rule acted, or on whose response one did (`responseMatches`). */
export function noteJudged(
  serving: Pick<Serving, "judged" | "failMode" | "logger">,
  visited: Visited,
  judged: Judged,
  statuses: Pick<ServedRequest, "edgeStatus" | "originStatus">,
  responseMatches: readonly RuleMatch[] = [],
): void {
  const { trace, previousMatches, solved, failures } = judged;
  const matches = ruleMatchesOf(trace, solved);
  matches.push(...failedMatches(failures, serving.failMode), ...responseMatches);
  if (matches.length === 0 && previousMatches.length === 0) return;
  const { visitor, zone, address, location, ray } = visited;
  serving.judged({
    zone,
    visitor,
    address,
    location,
    ray: rayIdOf(ray),
    colo: locationOf(ray),
    matches,
    previousMatches: withOutcomes(previousMatches, solved),
    owaspScores: isCompared(judged, matches) ? scoresIfKnown(serving, visited, judged) : undefined,
    ...statuses,
  });
}

/** One that skips is none. */
const isOfManagedRule = ({ stage, action }: RuleMatch): boolean =>
  stage === managedPhase && action !== "skip";

/** Whether both versions of the managed rules are compared on a request. */
export function isCompared(
  { previousMatches, failures }: Pick<Judged, "previousMatches" | "failures">,
  matches: readonly RuleMatch[],
): boolean {
  const isManaged = previousMatches.length > 0 || matches.some(isOfManagedRule);
  return isManaged && failures.length === 0;
}

/**
 * Nothing depends on these scores but a comparison of both versions: without them, the event is still one. Throws
 * BodyUnread.
 */
export function scoresIfKnown(
  { logger }: Pick<Serving, "logger">,
  { ray, zone }: Visited,
  { previousScores }: Pick<Judged, "previousScores">,
): ReturnType<Judged["previousScores"]> {
  try {
    return previousScores();
  } catch (error) {
    if (error instanceof BodyUnread) throw error;
    logger.error({ err: error, ray, zone: zone.name }, "the scores of a request could not be computed");
    return undefined;
  }
}
