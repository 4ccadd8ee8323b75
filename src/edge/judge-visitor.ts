import { decodeText } from "../core/expression/byte-string.ts";
import { actsOf, solvedAct, withOutcomes } from "../core/rulesets/acts.ts";
import { coreLevelAsked, judgeRequest, type Judged } from "../core/rulesets/judge-request.ts";
import { requestLimits } from "../core/rulesets/request-limits.ts";
import { answerBytesMax } from "./challenges/challenges.ts";
import { unforged } from "./origin-headers.ts";
import { decidedAnswer } from "./own-answers.ts";
import type { OwnAnswer } from "./pages.ts";
import type { RequestBody } from "./request-body.ts";
import { applyResponseRules } from "./response-rules.ts";
import type { ServedRequest, Serving } from "./serving.ts";
import { askedOf, type Visited } from "./visited.ts";

/** Octets of a body that the Core Rule Set judges in the main thread. */
const bodyOctetsAtOnce = 8_192;

/** Judges by the function that the request tracer and replays judge by. */
export async function judgeVisitor(
  {
    now,
    counters,
    challenges,
    askCoreRules,
    matchedRules,
  }: Pick<Serving, "now" | "counters" | "challenges" | "askCoreRules" | "matchedRules">,
  visited: Visited,
  body: Pick<RequestBody, "start"> | undefined,
): Promise<Judged> {
  const { visitor, zone, address, ray } = visited;
  const { method, isSecure, host, path, query, protocol, bodyLength } = visitor;
  const nowMs = now().getTime();
  const inspected = zone.readsBodies ? await body?.start(requestLimits.bodyOctetsMax) : undefined;
  const text = inspected === undefined ? "" : inspected.octets.toString("latin1");
  const remoteAddress = address.replace(/%.*$/, "");
  const received = { ...visitor.received, body: text, remoteAddress };
  const level = text.length > bodyOctetsAtOnce ? coreLevelAsked(zone.rules, zone.judging) : undefined;
  const described = {
    received,
    method,
    url: "",
    protocol,
    headers: unforged(visitor.headers),
    cookies: {},
    body: decodeText(text) ?? text,
    address: remoteAddress,
    time: Math.floor(nowMs / 1_000),
    known: {
      "cf.ray_id": idOf(ray),
      ...(inspected?.isWhole === false && {
        "http.request.body.truncated": true,
        "http.request.body.size": bodyLength ?? inspected.octets.length,
      }),
    },
  };
  const judged = judgeRequest(
    zone.rules,
    zone.judging,
    described,
    { isSecure, host, path, query },
    {
      coreJudgement: level && (await askCoreRules(zone, received, level)),
      tracesUnmatched: false,
      solved: challenges.clearedBy(visited),
      exceeds: (rule, limit, request, isCounted) => counters.exceeds(rule, limit, request, isCounted, nowMs),
    },
  );
  await matchedRules?.add(visited, judged);
  return judged;
}

/** The answer of the rule that ended the evaluation, as the rules of answers leave it; undefined where none did. */
export function ruledAnswer(
  serving: Pick<Serving, "now" | "challenges">,
  visited: Visited,
  { decided, request }: Judged,
): OwnAnswer | undefined {
  const { visitor, zone } = visited;
  if (decided === undefined || zone.isPaused) return undefined;
  const challenge = serving.challenges.pageOf(visited, decided);
  if (challenge !== undefined) return challenge;
  const own = decidedAnswer(decided, askedOf(serving, visitor, visited));
  return { ...own, headers: applyResponseRules(zone, request, own.status, own.headers).headers };
}

/** Takes the answer to a challenge, and tells of one that was passed. */
export async function takeChallengeAnswer(
  { challenges, judged }: Pick<Serving, "challenges" | "judged">,
  visited: Visited,
  body: Pick<RequestBody, "start"> | undefined,
): Promise<OwnAnswer> {
  const form = (await body?.start(answerBytesMax))?.octets.toString("latin1") ?? "";
  const { solved, answer } = challenges.take(visited, form);
  if (solved !== undefined) {
    judged({
      ...visited,
      ray: idOf(visited.ray),
      acts: [solvedAct(solved.act)],
      previousActs: [],
      originatorRay: idOf(solved.ray),
      edgeStatus: answer.status,
      originStatus: 0,
    });
  }
  return answer;
}

/** Tells of a request that a rule did something about. */
export function noteJudged(
  serving: Pick<Serving, "judged">,
  { visitor, zone, address, ray }: Visited,
  { trace, previousActs, solved }: Judged,
  statuses: Pick<ServedRequest, "edgeStatus" | "originStatus">,
): void {
  const acts = actsOf(trace, solved);
  if (acts.length === 0 && previousActs.length === 0) return;
  serving.judged({
    zone,
    visitor,
    address,
    ray: idOf(ray),
    acts,
    previousActs: withOutcomes(previousActs, solved),
    ...statuses,
  });
}

/** A ray id without its place. */
const idOf = (ray: string): string => ray.split("-", 1)[0] ?? ray;
