import type { Duplex } from "node:stream";

import type { Logger } from "pino";

import type { PreviousMatch } from "../core/previous-waf/judge.ts";
import type { RuleMatch } from "../core/judging/rule-matches.ts";
import type { FailMode } from "../core/judging/evaluation.ts";
import type { CoreJudgement } from "../core/judging/core-judge.ts";
import type { PartsQuestion } from "../core/judging/judge-parts.ts";
import type { PartOutcome } from "../core/judging/request-parts.ts";
import type { ParanoiaLevel } from "../core/seclang/evaluate/paranoia-level.ts";
import type { RuleRequest, RuleResponse } from "../core/seclang/evaluate/request.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import type { Challenges } from "./challenges/challenges.ts";
import type { Compressors } from "./answer/compression.ts";
import type { BodyDecoders } from "./request/content-encoding.ts";
import type { EdgeZone, EdgeZones } from "./zones/edge-zone.ts";
import type { HeldBodies } from "./request/held-bodies.ts";
import type { MatchedRulesLog } from "./judging/matched-rules-log.ts";
import type { OriginPools } from "./origin/origin-pools.ts";
import type { Origins } from "./origin/origins.ts";
import type { OwnAnswer } from "./errors/pages.ts";
import type { Problem } from "./errors/problem.ts";
import type { RateCounters } from "./judging/rate-counters.ts";
import { sendAnswer, type Visit } from "./connections/visit.ts";
import type { ReadyVisit } from "./request/visited.ts";
import type { VisitorIds } from "./challenges/visitor-ids.ts";
import type { Locate, VisitorLocation } from "./request/visitor-location.ts";
import type { VisitorRequest } from "./request/visitor-request.ts";
import type { WaitingVisits } from "./request/waiting-visits.ts";

/** A request that rules judged, and how it was answered. */
export interface ServedRequest {
  readonly zone: EdgeZone;
  readonly visitor: VisitorRequest;
  readonly address: string;
  readonly location: VisitorLocation;
  /** Without the location code. */
  readonly ray: string;
  /** The location code. */
  readonly colo: string;
  readonly matches: readonly RuleMatch[];
  /** What the previous version of the managed rules did. */
  readonly previousMatches: readonly (Omit<PreviousMatch, "action"> & Pick<RuleMatch, "action">)[];
  /** Where both versions of the managed rules are compared: the scores of the OWASP ruleset up to levels 1 and 2. */
  readonly owaspScores?: readonly number[] | undefined;
  /** The ray id of the challenged request, where this one carries the answer. */
  readonly originatorRay?: string;
  readonly edgeStatus: number;
  /** 0 without a response of the origin. */
  readonly originStatus: number;
}

export type AskCoreRules = (
  zone: EdgeZone,
  request: RuleRequest,
  level: ParanoiaLevel,
  /** Given where the response is judged, not the request. */
  response?: RuleResponse,
) => Promise<CoreJudgement>;

/** Judges costly parts of a zone's rules in a thread of its own. Throws OwnAnswerDue where they take too long or too many wait. */
export type AskRuleParts = (
  zone: Pick<EdgeZone, "accountId">,
  question: PartsQuestion,
) => Promise<readonly PartOutcome[]>;

/** What serving a request needs. */
export interface Serving {
  readonly zones: EdgeZones;
  readonly origins: Origins;
  readonly pools: OriginPools;
  readonly counters: RateCounters;
  readonly challenges: Challenges;
  readonly visitorIds: VisitorIds;
  readonly compressors: Compressors;
  readonly bodyDecoders: BodyDecoders;
  readonly waiting: WaitingVisits;
  readonly heldBodies: HeldBodies;
  readonly matchedRules: MatchedRulesLog | undefined;
  readonly failMode: FailMode;
  /** Makes a ray id with its location code. */
  readonly newRay: () => string;
  /** Identifies this installation in `CDN-Loop` (RFC 8586). */
  readonly loopToken: string;
  readonly addressOf: (request: Visit["request"]) => string;
  readonly locate: Locate;
  /** Asks the Core Rule Set in a worker, as a long body takes it long. Throws OwnAnswerDue. */
  readonly askCoreRules: AskCoreRules;
  readonly askRuleParts: AskRuleParts;
  /** What the origin's octets of a WebSocket go through on their way to the visitor. */
  readonly watchRelay: ((visit: Visit) => Duplex | undefined) | undefined;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called once for each request on which a rule acted. */
  readonly judged: (served: ServedRequest) => void;
  /** Called once for each response, with its status; 499 where the visitor left before it. */
  readonly answered: (status: number) => void;
}

/** What is known of a request while it is served. */
export interface Way extends ReadyVisit {
  readonly visit: Visit;
}

/** Thrown to answer from the edge instead of the origin. */
export class OwnAnswerDue extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** Sends a response of the edge itself, with the ray id of the request. */
export async function answer(
  serving: Serving,
  visit: Visit,
  ray: string,
  { status, headers, body }: OwnAnswer,
  more: readonly Header[] = [],
): Promise<void> {
  const date: Header = ["date", serving.now().toUTCString()];
  await sendAnswer(visit, { status, headers: [date, ...headers, ...more, ...edgeHeaders(ray)], body });
  serving.answered(status);
}

const server: Header = ["server", "zoneward"];

/** Headers of every response. */
export const edgeHeaders = (ray: string): Header[] => [server, ["cf-ray", ray]];

/** The security headers of the zone, for visitors over TLS. */
export function securityHeaders({ visitor, zone }: Way): readonly Header[] {
  return visitor.isSecure ? zone.settings.securityHeaders : [];
}
