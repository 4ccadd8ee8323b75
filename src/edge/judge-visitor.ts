import {
  ruleMatchesOf,
  answeredMatch,
  failedMatches,
  withOutcomes,
  type RuleMatch,
} from "../core/rulesets/rule-matches.ts";
import type { CoreFailure, CoreJudgement } from "../core/rulesets/core-judge.ts";
import type { RuleFailure } from "../core/rulesets/evaluation.ts";
import {
  coreLevelAsked,
  judgeRequest,
  type Judged,
  type JudgeOptions,
} from "../core/rulesets/judge-request.ts";
import { managedPhase } from "../core/rulesets/phases.ts";
import type { DescribedResponse } from "../core/rulesets/response-fields.ts";
import { requestLimits } from "../core/rulesets/request-limits.ts";
import type { ParanoiaLevel } from "../core/seclang/evaluate/paranoia-level.ts";
import type { RuleRequest } from "../core/seclang/evaluate/request.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import { locationOf, rayIdOf } from "../http/ray.ts";
import { answerBytesMax } from "./challenges/challenges.ts";
import { unforged, withoutZone } from "./origin-headers.ts";
import { decidedAnswer, errorAnswer } from "./own-answers.ts";
import type { OwnAnswer } from "./pages.ts";
import type { Problem } from "./problem.ts";
import type { RequestBody } from "./request-body.ts";
import { applyResponseRules } from "./response-rules.ts";
import { problems } from "./problems.ts";
import { OwnAnswerDue, type ServedRequest, type Serving } from "./serving.ts";
import { askedOf, type ReadyVisit, type Visited } from "./visited.ts";
import { locationFields } from "./visitor-location.ts";
import { receivedRequest } from "./visitor-request.ts";

/**
 * Up to this many octets of a body, the Core Rule Set runs in the main thread; a longer one goes to a worker.
 */
export const bodyOctetsAtOnce = 8_192;

type Judging = Pick<
  Serving,
  "now" | "counters" | "challenges" | "visitorIds" | "askCoreRules" | "failMode" | "logger"
>;

/** The result of the rules for a request, and the request as the Core Rule Set sees it. */
export interface JudgedVisit extends Judged {
  /** The request's headers without those that only the edge may set. */
  readonly unforged: readonly Header[];
  readonly received: () => RuleRequest;
  /** What the response has the visitor keep. */
  readonly cookies: readonly Header[];
  /** Until when the rate limit acts that was exceeded last, in milliseconds since 1970. */
  readonly limitedUntil: number | undefined;
  /**
   * Drops the body with all that was made of it, which takes several times as much memory: an origin may take minutes to
   * answer.
   */
  readonly letGoOfBody: () => void;
}

/** The beginning of a body, as rules see it. */
interface InspectedBody {
  readonly text: string;
  readonly isCut: boolean;
}

type SeenHeaders = Required<Pick<JudgeOptions, "hasAllHeaders">>;

const noBody: InspectedBody = { text: "", isCut: false };

/**
 * Evaluates the rules with the same function as the request tracer and replays. Returns a promise only where a body
 * has to be read.
 */
export function judgeVisitor(
  serving: Judging,
  visited: ReadyVisit,
  body: Pick<RequestBody, "start"> | undefined,
  seen: SeenHeaders,
): JudgedVisit | Promise<JudgedVisit> {
  if (body === undefined || !visited.zone.readsBodies) return judge(serving, visited, seen, noBody);
  return judgeWithBody(serving, visited, seen, body);
}

async function judgeWithBody(
  serving: Judging,
  visited: ReadyVisit,
  seen: SeenHeaders,
  body: Pick<RequestBody, "start">,
): Promise<JudgedVisit> {
  const { octets, isWhole } = await body.start(requestLimits.bodyOctetsMax);
  const inspected = { text: octets.toString("latin1"), isCut: !isWhole };
  const { rules, judging, readsBodiesAgain } = visited.zone;
  const level = octets.length > bodyOctetsAtOnce ? coreLevelAsked(rules, judging) : undefined;
  const coreJudgement = level && (await askBeside(serving, visited, inspected, level));
  const judged = judge(serving, visited, seen, inspected, coreJudgement);
  if (readsBodiesAgain) return judged;
  // What noteJudged asks for once the request is answered.
  const isAsked = isCompared(judged, ruleMatchesOf(judged.trace, judged.solved));
  const scores = isAsked ? scoresIfKnown(serving, visited, judged) : undefined;
  judged.letGoOfBody();
  return { ...judged, previousScores: () => scores };
}

function judge(
  { now, counters, challenges, visitorIds, failMode, logger }: Judging,
  visited: ReadyVisit,
  { hasAllHeaders }: SeenHeaders,
  { text, isCut }: InspectedBody,
  coreJudgement?: CoreJudgement | CoreFailure,
): JudgedVisit {
  const { visitor, zone, address, location, ray } = visited;
  const known = locationFields(location);
  const { method, protocol, bodyLength, isSecure, publicHost: host, path, query } = visitor;
  const nowMs = now().getTime();
  const headers = unforged(visitor.headers);
  const remoteAddress = withoutZone(address);
  const received = (): RuleRequest => receivedRequest(visitor, described.body, remoteAddress);
  // A getter for the body would give each object a hidden class of its own, which slows all reads of them down.
  const described = {
    received,
    method,
    protocol,
    headers,
    body: text,
    address: remoteAddress,
    ...(known !== undefined && { known }),
    time: Math.floor(nowMs / 1_000),
    rayId: rayIdOf(ray),
    isBodyCut: isCut,
    bodySize: bodyLength ?? text.length,
  };
  const parts = { isSecure, host, path, query };
  const solved = challenges.clearedBy(visited);
  const { id: visitorId, cookies } = visitorIds.of(visited, zone.rules.tellsVisitorsApart);
  let limitedUntil: number | undefined;
  const judged = judgeRequest(zone.rules, zone.judging, described, parts, {
    coreJudgement,
    failMode,
    hasAllHeaders,
    tracesUnmatched: false,
    solved,
    visitorId,
    exceeds: (limited) => {
      const until = counters.exceededUntil(limited, nowMs, solved.get(limited.action));
      limitedUntil = until ?? limitedUntil;
      return until !== undefined;
    },
  });
  if (judged.failures.length > 0) logFailures({ logger }, visited, judged.failures);
  const letGoOfBody = (): void => {
    described.body = "";
    judged.request.forget();
  };
  return { ...judged, unforged: headers, received, cookies, limitedUntil, letGoOfBody };
}

function logFailures(
  { logger }: Pick<Serving, "logger">,
  { ray, zone }: Visited,
  failures: readonly RuleFailure[],
): void {
  for (const { error, ruleId } of failures)
    logger.error({ err: error, ray, zone: zone.name, rule: ruleId }, "a rule could not be judged");
}

/** Asks the Core Rule Set in a worker. */
async function askBeside(
  { askCoreRules }: Pick<Serving, "askCoreRules">,
  { visitor, zone, address }: Visited,
  { text }: InspectedBody,
  level: ParanoiaLevel,
): Promise<CoreJudgement | CoreFailure> {
  try {
    return await askCoreRules(zone, receivedRequest(visitor, text, withoutZone(address)), level);
  } catch (error) {
    return { error };
  }
}

/** Counts a request for the rate limits that go by the response of the origin. */
export function countAnswer(
  { now, counters, logger }: Pick<Serving, "now" | "counters" | "logger">,
  { ray, zone }: Visited,
  { answerLimits }: Pick<Judged, "answerLimits">,
  response: DescribedResponse,
): void {
  for (const limited of answerLimits) {
    try {
      counters.countAnswer(limited, response, now().getTime());
    } catch (error) {
      const about = { err: error, ray, zone: zone.name, rule: limited.ruleId };
      logger.error(about, "a rate limit could not count an answer");
    }
  }
}

/** The error page where the Core Rule Set fails. */
export function unjudgedProblem(error: unknown): Problem {
  return error instanceof OwnAnswerDue ? error.problem : problems.unjudged;
}

/**
 * The response of the rule that ended the evaluation, after the response rules; undefined where none ended
 * it.
 */
export function ruledAnswer(
  serving: Pick<Serving, "now" | "challenges">,
  visited: ReadyVisit,
  judged: Pick<Judged, "decided" | "request" | "failures"> & Partial<Pick<JudgedVisit, "limitedUntil">>,
): OwnAnswer | undefined {
  const { decided, request, failures, limitedUntil } = judged;
  const { visitor } = visited;
  if (decided === undefined) return undefined;
  const challenge = serving.challenges.pageOf(visited, decided);
  if (challenge !== undefined) return challenge;
  const asked = askedOf(serving, visitor, visited);
  const { error, ...own } = decided.isUnjudged
    ? errorAnswer(unjudgedProblem(failures[0]?.error), asked)
    : decidedAnswer(decided, asked, limitedUntil);
  return { ...own, headers: applyResponseRules(visited, request, { ...own, error }).headers };
}

/** An error page after the response rules, or what a rule for errors answers instead. */
export function ruledError(
  serving: Pick<Serving, "now">,
  visited: ReadyVisit,
  { request }: Pick<Judged, "request">,
  problem: Problem,
): OwnAnswer {
  const { error, ...own } = errorAnswer(problem, askedOf(serving, visited.visitor, visited));
  const { headers, instead } = applyResponseRules(visited, request, { ...own, error });
  return instead ?? { ...own, headers };
}

/** Takes the answer to a challenge, and tells the visitor whether it was correct. */
export async function takeChallengeAnswer(
  { challenges, judged }: Pick<Serving, "challenges" | "judged">,
  visited: Visited,
  body: Pick<RequestBody, "start"> | undefined,
): Promise<OwnAnswer> {
  const form = (await body?.start(answerBytesMax))?.octets.toString("latin1") ?? "";
  const { answered, answer } = challenges.take(visited, form);
  if (answered !== undefined) {
    judged({
      ...visited,
      ray: rayIdOf(visited.ray),
      colo: locationOf(visited.ray),
      matches: [answeredMatch(answered.match, answered.isSolved)],
      previousMatches: [],
      originatorRay: rayIdOf(answered.ray),
      edgeStatus: answer.status,
      originStatus: 0,
    });
  }
  return answer;
}

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

/** Whether both versions of the managed rules are compared on a request. */
function isCompared(
  { previousMatches, failures }: Pick<Judged, "previousMatches" | "failures">,
  matches: readonly RuleMatch[],
): boolean {
  const isManaged = previousMatches.length > 0 || matches.some(({ stage }) => stage === managedPhase);
  return isManaged && failures.length === 0;
}

/** Nothing depends on these scores but a comparison of both versions: without them, the event is still one. */
function scoresIfKnown(
  { logger }: Pick<Serving, "logger">,
  { ray, zone }: Visited,
  { previousScores }: Pick<Judged, "previousScores">,
): ReturnType<Judged["previousScores"]> {
  try {
    return previousScores();
  } catch (error) {
    logger.error({ err: error, ray, zone: zone.name }, "the scores of a request could not be computed");
    return undefined;
  }
}
