import { randomBytes } from "node:crypto";
import type { CoreFailure, CoreJudgement } from "../../core/judging/core-rules.ts";
import { bodyOf, BodyUnread } from "../../core/judging/described-request.ts";
import type { FailMode, RuleFailure } from "../../core/judging/evaluation.ts";
import { type PartsQuestion, RequestParts, type PartOutcome } from "../../core/judging/request-parts.ts";
import {
  coreLevelAsked,
  judgeRequest,
  type Judged,
  type JudgeOptions,
} from "../../core/judging/judge-request.ts";
import { requestLimits } from "../../core/judging/request-fields.ts";
import type { DescribedResponse } from "../../core/judging/response-fields.ts";
import {
  answeredMatch,
  failedMatches,
  ruleMatchesOf,
  withOutcomes,
  type RuleMatch,
} from "../../core/judging/rule-matches.ts";
import type { PreviousMatch } from "../../core/previous-waf/judge.ts";
import { managedPhase } from "../../core/rulesets/phases.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/judge.ts";
import type { RuleRequest, RuleResponse } from "../../core/seclang/evaluate/request.ts";
import { valueIn } from "../../core/transforms/request-headers.ts";
import { locationOf, rayIdOf } from "../../wire/ray.ts";
import type { Challenges } from "../challenges/challenges.ts";
import type { KnownVisitor, VisitorIds } from "../challenges/visitor-ids.ts";
import type { OwnAnswer } from "../errors/block-and-error-pages.ts";
import { OwnAnswerDue, problems } from "../errors/problems.ts";
import { codingsOf, type BodyDecoders } from "../request/content-encoding.ts";
import type { Exchange, JudgedRequest } from "../request/exchange.ts";
import type { RequestBody } from "../request/request-body.ts";
import { connectionOf, receivedRequest, unforged, withoutZone } from "../request/visitor-request.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";
import type { MatchedRulesLog } from "./matched-rules-log.ts";
import type { RateCounters } from "./rate-counters.ts";

/** A request that rules judged, and how it was answered. */
export interface ServedRequest extends Pick<
  Exchange,
  "zone" | "visitor" | "address" | "location" | "edgeStatus" | "originStatus"
> {
  /** Without the location code. */
  readonly ray: string;
  /** The location code. */
  readonly colo: string;
  readonly matches: readonly RuleMatch[];
  /** Matches of the previous version of the managed rules. */
  readonly previousMatches: readonly (Omit<PreviousMatch, "action"> & Pick<RuleMatch, "action">)[];
  /** OWASP scores up to levels 1 and 2; undefined unless both versions of the managed rules are compared. */
  readonly owaspScores?: readonly number[] | undefined;
  /** The ray id of the challenged request, where this one carries the answer. */
  readonly originatorRay?: string;
}

export type AskCoreRules = (
  zone: Pick<EdgeZone, "accountId">,
  request: RuleRequest,
  level: ParanoiaLevel,
  /** Given where the response is judged, not the request. */
  response?: RuleResponse,
) => Promise<CoreJudgement>;

/**
 * Judges costly parts of a zone's rules in a thread of its own. Throws OwnAnswerDue where they take too long or
 * too many wait.
 */
export type AskRuleParts = (
  zone: Pick<EdgeZone, "accountId">,
  question: PartsQuestion,
) => Promise<readonly PartOutcome[]>;

/** Everything that running rules on the requests of visitors takes. */
export interface Judging {
  readonly counters: RateCounters;
  readonly challenges: Challenges;
  readonly visitorIds: VisitorIds;
  readonly bodyDecoders: BodyDecoders;
  readonly failMode: FailMode;
  /** Asks the Core Rule Set in a worker, as a long body takes it long. Throws OwnAnswerDue. */
  readonly askCoreRules: AskCoreRules;
  readonly askRuleParts: AskRuleParts;
  readonly matchedRules: MatchedRulesLog | undefined;
  /** Called once for each request on which a rule acted. */
  readonly judged: (served: ServedRequest) => void;
}

/**
 * Up to this many octets of a body, the Core Rule Set runs in the main thread; a longer one goes to a worker.
 */
export const bodyOctetsAtOnce = 8_192;

/** A UUID has the same number. */
const seedOctets = 16;

/** The beginning of a body, as rules see it. */
interface InspectedBody {
  readonly text: string;
  readonly isCut: boolean;
  readonly isUnread: boolean;
  /** Octets of the body as it is sent, as far as known without its header. */
  readonly size: number;
}

type SeenHeaders = Required<Pick<JudgeOptions, "hasAllHeaders">>;
/**
 * Returns a promise where parts of rules are so costly that a thread judges them. Throws BodyUnread for an
 * unread body that rules need.
 */
type Judge = (
  body: InspectedBody,
  coreJudgement?: CoreJudgement | CoreFailure,
) => JudgedRequest | Promise<JudgedRequest>;

/** A visitor whom no rate limit tells from others. */
const unasked: KnownVisitor = { id: undefined, cookies: () => [] };

const noBody: InspectedBody = { text: "", isCut: false, isUnread: false, size: 0 };
const unreadBody: InspectedBody = { ...noBody, isUnread: true };

/**
 * Evaluates the rules with the same function as the request tracer and replays. Returns a promise only where a
 * body has to be read, or a thread has to be asked. A visitor that expects to be asked for its body is judged
 * without it as far as that goes.
 */
export function judgeExchange(
  judging: Judging,
  exchange: Exchange,
  seen: SeenHeaders,
): JudgedRequest | Promise<JudgedRequest> {
  const judge = judgeOf(judging, exchange, seen);
  const { body, zone } = exchange;
  if (body === undefined || !zone.readsBodies) return judge(noBody);
  return body.expectsContinue
    ? judgeAheadOrWith(judging, exchange, judge, body)
    : judgeWithBody(judging, exchange, judge, body);
}

async function judgeAheadOrWith(
  judging: Judging,
  exchange: Exchange,
  judge: Judge,
  body: RequestBody,
): Promise<JudgedRequest> {
  const ahead = await judgeAhead(exchange, judge);
  return ahead ?? judgeWithBody(judging, exchange, judge, body);
}

/** Undefined where the body is needed. */
async function judgeAhead(exchange: Exchange, judge: Judge): Promise<JudgedRequest | undefined> {
  try {
    const judged = await judge(unreadBody);
    const isReadLater = exchange.zone.readsBodiesAgain && judged.decided === undefined;
    return isReadLater ? undefined : withoutBody(exchange, judged);
  } catch (error) {
    if (error instanceof BodyUnread) return undefined;
    throw error;
  }
}

async function judgeWithBody(
  judging: Judging,
  exchange: Exchange,
  judge: Judge,
  body: RequestBody,
): Promise<JudgedRequest> {
  const inspected = await inspect(judging, exchange, body);
  if (inspected === undefined) return judgeUnreadable(exchange, judge);
  const { zone } = exchange;
  const level =
    inspected.text.length > bodyOctetsAtOnce ? coreLevelAsked(zone.rules, zone.judging) : undefined;
  const coreJudgement = level && (await askBeside(judging, exchange, inspected, level));
  const judged = await judge(inspected, coreJudgement);
  if (!zone.readsBodiesAgain) return withoutBody(exchange, judged);
  judged.request.forget();
  return judged;
}

/** The beginning of a body, decoded; undefined for one that cannot be. */
async function inspect(
  { bodyDecoders }: Judging,
  { visitor, zone }: Exchange,
  body: RequestBody,
): Promise<InspectedBody | undefined> {
  const { bodyOctetsMax } = requestLimits;
  const { octets, isWhole } = await body.start(bodyOctetsMax);
  const encoding = valueIn(visitor.headers, "content-encoding");
  const size = octets.length;
  if (size === 0 || codingsOf(encoding).length === 0)
    return { text: octets.toString("latin1"), isCut: !isWhole, isUnread: false, size };
  const decoded = await bodyDecoders.decode(zone.id, encoding, octets, bodyOctetsMax);
  if (decoded?.isValid !== true) return undefined;
  const isCut = !isWhole || decoded.isCut;
  return { text: decoded.octets.toString("latin1"), isCut, isUnread: false, size };
}

/** A body that cannot be decoded passes where no rule needs it. Throws OwnAnswerDue where one does. */
async function judgeUnreadable(exchange: Exchange, judge: Judge): Promise<JudgedRequest> {
  try {
    if (exchange.zone.readsBodiesAgain) throw new BodyUnread();
    return withoutBody(exchange, await judge(unreadBody));
  } catch (error) {
    if (error instanceof BodyUnread) throw new OwnAnswerDue(problems.unreadableBody);
    throw error;
  }
}

/** Lets go of the body. Throws BodyUnread. */
function withoutBody(exchange: Exchange, judged: JudgedRequest): JudgedRequest {
  // Computed now, as noteJudged asks for it when the body is gone.
  const isAsked = isCompared(judged, ruleMatchesOf(judged.trace, judged.solved));
  const scores = isAsked ? scoresIfKnown(exchange, judged) : undefined;
  judged.letGoOfBody();
  return { ...judged, previousScores: () => scores };
}

/** Creates the function that judges a request. A second call counts the request for no rate limit again. */
function judgeOf(
  { counters, challenges, visitorIds, askRuleParts, failMode }: Judging,
  exchange: Exchange,
  { hasAllHeaders }: SeenHeaders,
): Judge {
  const { visitor, zone, address, ray, edge } = exchange;
  const { fields: known } = exchange.location;
  const { method, protocol, bodyLength, isSecure, hostname: host, port, path, query } = visitor;
  const headers = unforged(visitor.headers);
  const remoteAddress = withoutZone(address);
  const came = edge.now().getTime();
  let seed: string | undefined;
  const received = (): RuleRequest => receivedRequest(visitor, bodyOf(described), remoteAddress);
  // A getter for the body would give each object a hidden class of its own, which slows all reads of them down.
  const described = {
    received,
    method,
    protocol,
    headers,
    body: "",
    address: remoteAddress,
    ...(known !== undefined && { known }),
    time: Math.floor(came / 1_000),
    msec: came % 1_000,
    connection: () => connectionOf(visitor.received),
    seed: () => (seed ??= randomBytes(seedOctets).toString("latin1")),
    rayId: rayIdOf(ray),
    isBodyCut: false,
    isBodyUnread: false,
    bodySize: (bodyLength ?? 0) as number | undefined,
  };
  const parts = { isSecure, host, port, path, query };
  const solved = challenges.clearedBy(exchange);
  const { id: visitorId, cookies: given } = zone.rules.tellsVisitorsApart ? visitorIds.of(exchange) : unasked;
  /** Until when each rate limit acts that was asked, in their order. */
  const limits: (number | undefined)[] = [];
  const costly = new RequestParts(() => performance.now());
  const evaluateOnce = (coreJudgement: CoreJudgement | CoreFailure | undefined): JudgedRequest => {
    costly.beginAsking(described.body.length);
    let limitedUntil: number | undefined;
    let asked = 0;
    const judged = judgeRequest(zone.rules, zone.judging, described, parts, {
      coreJudgement,
      failMode,
      hasAllHeaders,
      tracesUnmatched: false,
      solved,
      visitorId,
      parts: costly,
      exceeds: (limited) => {
        // Rules behind a part that is not known yet are evaluated again.
        if (costly.isAsking) return false;
        if (asked === limits.length)
          limits.push(
            counters.exceededUntil(zone, limited, edge.now().getTime(), solved.get(limited.action)),
          );
        const until = limits[asked];
        asked += 1;
        limitedUntil = until ?? limitedUntil;
        return until !== undefined;
      },
    });
    const letGoOfBody = (): void => {
      described.body = "";
      described.isBodyUnread = false;
      judged.request.forget();
    };
    const cookies = judged.decided === undefined ? given() : [];
    return { ...judged, unforged: headers, received, cookies, limitedUntil, letGoOfBody };
  };
  const finish = (judged: JudgedRequest): JudgedRequest => {
    // Rules that are evaluated once the request is answered cannot wait.
    costly.askNoMore();
    if (judged.failures.length > 0) logFailures(exchange, judged.failures);
    return judged;
  };
  const askAndEvaluate = async (first: JudgedRequest): Promise<JudgedRequest> => {
    let judged = first;
    while (costly.isAsking) {
      const asked = costly.takeAsked();
      const { body, isBodyCut, bodySize } = described;
      const question = { body: { headers, body, isBodyCut, bodySize }, parts: asked };
      const outcomes = await askRuleParts(exchange.zone, question).catch((error: unknown) =>
        asked.map(() => ({ error })),
      );
      costly.add(asked, outcomes);
      judged = evaluateOnce(judged.coreJudgement);
    }
    return finish(judged);
  };
  return ({ text, isCut, isUnread, size }, coreJudgement) => {
    described.body = text;
    described.bodySize = bodyLength ?? (isUnread ? undefined : size);
    described.isBodyCut = isCut;
    described.isBodyUnread = isUnread;
    const judged = evaluateOnce(coreJudgement);
    return costly.isAsking ? askAndEvaluate(judged) : finish(judged);
  };
}

/** Logs rules that could not be judged. */
export function logFailures({ edge, ray, zone }: Exchange, failures: readonly RuleFailure[]): void {
  for (const { error, ruleId } of failures)
    edge.logger.error({ err: error, ray, zone: zone.name, rule: ruleId }, "a rule could not be judged");
}

/** Asks the Core Rule Set in a worker. */
async function askBeside(
  { askCoreRules }: Judging,
  { visitor, zone, address }: Exchange,
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
  { counters }: Judging,
  { ray, zone, edge, judged }: Exchange,
  response: DescribedResponse,
): void {
  for (const limited of judged.answerLimits) {
    try {
      limited.request.parts?.begin();
      counters.countAnswer(zone, limited, response, edge.now().getTime());
    } catch (error) {
      const about = { err: error, ray, zone: zone.name, rule: limited.ruleId };
      edge.logger.error(about, "a rate limit could not count an answer");
    }
  }
}

/** Reports a request on which a rule acted, or on whose response one did. */
export function noteJudged({ judged: report, failMode }: Judging, exchange: Exchange): void {
  const { judged, responseMatches } = exchange;
  const { trace, previousMatches, solved, failures } = judged;
  const matches = ruleMatchesOf(trace, solved);
  matches.push(...failedMatches(failures, failMode), ...responseMatches);
  if (matches.length === 0 && previousMatches.length === 0) return;
  report({
    ...servedOf(exchange),
    matches,
    previousMatches: withOutcomes(previousMatches, solved),
    owaspScores: isCompared(judged, matches) ? scoresIfKnown(exchange, judged) : undefined,
  });
}

function servedOf(exchange: Exchange): Omit<ServedRequest, "matches" | "previousMatches"> {
  const { zone, visitor, address, location, ray, edgeStatus, originStatus } = exchange;
  return {
    zone,
    visitor,
    address,
    location,
    ray: rayIdOf(ray),
    colo: locationOf(ray),
    edgeStatus,
    originStatus,
  };
}

/** One that skips is none. */
const isOfManagedRule = ({ stage, action }: RuleMatch): boolean =>
  stage === managedPhase && action !== "skip";

/** Whether both versions of the managed rules are compared on a request. */
function isCompared(
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
function scoresIfKnown(
  { ray, zone, edge }: Exchange,
  { previousScores }: Pick<Judged, "previousScores">,
): ReturnType<Judged["previousScores"]> {
  try {
    return previousScores();
  } catch (error) {
    if (error instanceof BodyUnread) throw error;
    edge.logger.error({ err: error, ray, zone: zone.name }, "the scores of a request could not be computed");
    return undefined;
  }
}

/** Bytes of the largest answer to a puzzle. */
const challengeAnswerBytesMax = 4_096;

/** Takes the answer to a challenge, and tells the visitor whether it was correct. */
export async function takeChallengeAnswer(
  { challenges, judged }: Judging,
  exchange: Exchange,
): Promise<OwnAnswer> {
  const start = await exchange.body?.start(challengeAnswerBytesMax);
  const { answered, answer } = await challenges.take(exchange, start?.octets.toString("latin1") ?? "");
  exchange.edgeStatus = answer.status;
  if (answered !== undefined) {
    judged({
      ...servedOf(exchange),
      matches: [answeredMatch(answered.match, answered.isSolved)],
      previousMatches: [],
      originatorRay: rayIdOf(answered.ray),
    });
  }
  return answer;
}
