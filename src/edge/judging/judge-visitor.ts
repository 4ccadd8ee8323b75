import { randomBytes } from "node:crypto";

import type { CoreFailure, CoreJudgement } from "../../core/judging/core-judge.ts";
import { bodyOf, BodyUnread } from "../../core/judging/described-request.ts";
import type { RuleFailure } from "../../core/judging/evaluation.ts";
import {
  coreLevelAsked,
  judgeRequest,
  type Judged,
  type JudgeOptions,
} from "../../core/judging/judge-request.ts";
import { RequestParts } from "../../core/judging/request-parts.ts";
import { requestLimits } from "../../core/judging/request-limits.ts";
import type { DescribedResponse } from "../../core/judging/response-fields.ts";
import { ruleMatchesOf } from "../../core/judging/rule-matches.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/paranoia-level.ts";
import type { RuleRequest } from "../../core/seclang/evaluate/request.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { rayIdOf } from "../../wire/ray.ts";
import { codingsOf } from "../request/content-encoding.ts";
import { isCompared, scoresIfKnown } from "./note-judged.ts";
import { unforged, withoutZone } from "../origin/origin-headers.ts";
import { problems } from "../errors/problems.ts";
import type { RequestBody } from "../request/request-body.ts";
import { OwnAnswerDue, type Serving } from "../serving.ts";
import type { ReadyVisit, Visited } from "../request/visited.ts";
import { locationFields } from "../request/visitor-location.ts";
import { connectionOf, receivedRequest } from "../request/visitor-request.ts";

/**
 * Up to this many octets of a body, the Core Rule Set runs in the main thread; a longer one goes to a worker.
 */
export const bodyOctetsAtOnce = 8_192;

/** As many as a UUID has. */
const seedOctets = 16;

type Judging = Pick<
  Serving,
  | "now"
  | "counters"
  | "challenges"
  | "visitorIds"
  | "bodyDecoders"
  | "askCoreRules"
  | "askRuleParts"
  | "failMode"
  | "logger"
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
  readonly isUnread: boolean;
  /** Octets of the body as it is sent, as far as known without its header. */
  readonly size: number;
}

type SeenHeaders = Required<Pick<JudgeOptions, "hasAllHeaders">>;
type ReadableBody = Pick<RequestBody, "start"> & Partial<Pick<RequestBody, "expectsContinue">>;
/**
 * Returns a promise where parts of rules are so costly that a thread judges them. Throws BodyUnread for an unread body that
 * rules need.
 */
type Judge = (
  body: InspectedBody,
  coreJudgement?: CoreJudgement | CoreFailure,
) => JudgedVisit | Promise<JudgedVisit>;

const noBody: InspectedBody = { text: "", isCut: false, isUnread: false, size: 0 };
const unreadBody: InspectedBody = { ...noBody, isUnread: true };

/**
 * Evaluates the rules with the same function as the request tracer and replays. Returns a promise only where a body
 * has to be read, or a thread has to be asked. A visitor that expects to be asked for its body is judged without it as far as that goes.
 */
export function judgeVisitor(
  serving: Judging,
  visited: ReadyVisit,
  body: ReadableBody | undefined,
  seen: SeenHeaders,
): JudgedVisit | Promise<JudgedVisit> {
  const judge = judgeOf(serving, visited, seen);
  if (body === undefined || !visited.zone.readsBodies) return judge(noBody);
  return body.expectsContinue === true
    ? judgeAheadOrWith(serving, visited, judge, body)
    : judgeWithBody(serving, visited, judge, body);
}

async function judgeAheadOrWith(
  serving: Judging,
  visited: ReadyVisit,
  judge: Judge,
  body: ReadableBody,
): Promise<JudgedVisit> {
  const ahead = await judgeAhead(serving, visited, judge);
  return ahead ?? judgeWithBody(serving, visited, judge, body);
}

/** Undefined where the body is needed. */
async function judgeAhead(
  serving: Judging,
  visited: ReadyVisit,
  judge: Judge,
): Promise<JudgedVisit | undefined> {
  try {
    const judged = await judge(unreadBody);
    const isReadLater = visited.zone.readsBodiesAgain && judged.decided === undefined;
    return isReadLater ? undefined : withoutBody(serving, visited, judged);
  } catch (error) {
    if (error instanceof BodyUnread) return undefined;
    throw error;
  }
}

async function judgeWithBody(
  serving: Judging,
  visited: ReadyVisit,
  judge: Judge,
  body: ReadableBody,
): Promise<JudgedVisit> {
  const inspected = await inspect(serving, visited, body);
  if (inspected === undefined) return judgeUnreadable(serving, visited, judge);
  const { rules, judging, readsBodiesAgain } = visited.zone;
  const level = inspected.text.length > bodyOctetsAtOnce ? coreLevelAsked(rules, judging) : undefined;
  const coreJudgement = level && (await askBeside(serving, visited, inspected, level));
  const judged = await judge(inspected, coreJudgement);
  if (!readsBodiesAgain) return withoutBody(serving, visited, judged);
  judged.request.forget();
  return judged;
}

/** The beginning of a body, decoded; undefined for one that cannot be. */
async function inspect(
  { bodyDecoders }: Judging,
  { visitor, zone }: ReadyVisit,
  body: ReadableBody,
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
async function judgeUnreadable(serving: Judging, visited: ReadyVisit, judge: Judge): Promise<JudgedVisit> {
  try {
    if (visited.zone.readsBodiesAgain) throw new BodyUnread();
    return withoutBody(serving, visited, await judge(unreadBody));
  } catch (error) {
    if (error instanceof BodyUnread) throw new OwnAnswerDue(problems.unreadableBody);
    throw error;
  }
}

/** Lets go of the body. Throws BodyUnread. */
function withoutBody(serving: Judging, visited: ReadyVisit, judged: JudgedVisit): JudgedVisit {
  // What noteJudged asks for once the request is answered.
  const isAsked = isCompared(judged, ruleMatchesOf(judged.trace, judged.solved));
  const scores = isAsked ? scoresIfKnown(serving, visited, judged) : undefined;
  judged.letGoOfBody();
  return { ...judged, previousScores: () => scores };
}

/** What judges a request; called a second time, it counts the request for no rate limit again. */
function judgeOf(
  { now, counters, challenges, visitorIds, askRuleParts, failMode, logger }: Judging,
  visited: ReadyVisit,
  { hasAllHeaders }: SeenHeaders,
): Judge {
  const { visitor, zone, address, location, ray } = visited;
  const known = locationFields(location);
  const { method, protocol, bodyLength, isSecure, hostname: host, port, path, query } = visitor;
  const headers = unforged(visitor.headers);
  const remoteAddress = withoutZone(address);
  const came = now().getTime();
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
    bodySize: bodyLength ?? 0,
  };
  const parts = { isSecure, host, port, path, query };
  const solved = challenges.clearedBy(visited);
  const { id: visitorId, cookies: given } = visitorIds.of(visited, zone.rules.tellsVisitorsApart);
  /** Until when each rate limit acts that was asked, in their order. */
  const limits: (number | undefined)[] = [];
  const costly = new RequestParts(() => performance.now());
  const evaluateOnce = (coreJudgement: CoreJudgement | CoreFailure | undefined): JudgedVisit => {
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
        // What follows a part that is not known yet is evaluated again.
        if (costly.isAsking) return false;
        if (asked === limits.length)
          limits.push(counters.exceededUntil(zone, limited, now().getTime(), solved.get(limited.action)));
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
  const finish = (judged: JudgedVisit): JudgedVisit => {
    // What is evaluated once the request is answered cannot wait.
    costly.askNoMore();
    if (judged.failures.length > 0) logFailures({ logger }, visited, judged.failures);
    return judged;
  };
  const askAndEvaluate = async (first: JudgedVisit): Promise<JudgedVisit> => {
    let judged = first;
    while (costly.isAsking) {
      const asked = costly.takeAsked();
      const { body, isBodyCut, bodySize } = described;
      const question = { body: { headers, body, isBodyCut, bodySize }, parts: asked };
      const outcomes = await askRuleParts(visited.zone, question).catch((error: unknown) =>
        asked.map(() => ({ error })),
      );
      costly.add(asked, outcomes);
      judged = evaluateOnce(judged.coreJudgement);
    }
    return finish(judged);
  };
  return ({ text, isCut, isUnread, size }, coreJudgement) => {
    described.body = text;
    described.bodySize = bodyLength ?? size;
    described.isBodyCut = isCut;
    described.isBodyUnread = isUnread;
    const judged = evaluateOnce(coreJudgement);
    return costly.isAsking ? askAndEvaluate(judged) : finish(judged);
  };
}

/** Logs rules that could not be judged. */
export function logFailures(
  { logger }: Pick<Serving, "logger">,
  { ray, zone }: Pick<Visited, "ray" | "zone">,
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
      limited.request.parts?.begin();
      counters.countAnswer(zone, limited, response, now().getTime());
    } catch (error) {
      const about = { err: error, ray, zone: zone.name, rule: limited.ruleId };
      logger.error(about, "a rate limit could not count an answer");
    }
  }
}
