import type { Logger } from "pino";

import type { PreviousAct } from "../core/previous-waf/judge.ts";
import type { Act } from "../core/rulesets/acts.ts";
import type { WhereUnjudged } from "../core/rulesets/evaluation.ts";
import type { CoreJudgement } from "../core/rulesets/core-judge.ts";
import type { ParanoiaLevel } from "../core/seclang/evaluate/paranoia-level.ts";
import type { RuleRequest, RuleResponse } from "../core/seclang/evaluate/request.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import type { Challenges } from "./challenges/challenges.ts";
import type { EdgeZone, EdgeZones } from "./edge-zone.ts";
import type { MatchedRulesLog } from "./matched-rules-log.ts";
import type { OriginPools } from "./origin-pools.ts";
import type { Origins } from "./origins.ts";
import type { OwnAnswer, Problem } from "./pages.ts";
import type { RateCounters } from "./rate-counters.ts";
import { sendAnswer, type Visit } from "./visit.ts";
import type { ReadyVisit } from "./visited.ts";
import type { VisitorRequest } from "./visitor-request.ts";

/** A request that rules judged, with what was answered. */
export interface ServedRequest {
  readonly zone: EdgeZone;
  readonly visitor: VisitorRequest;
  readonly address: string;
  /** Without the place. */
  readonly ray: string;
  readonly acts: readonly Act[];
  /** Of the previous version of the managed rules. */
  readonly previousActs: readonly (Omit<PreviousAct, "action"> & Pick<Act, "action">)[];
  /** Where both versions of the managed rules are compared: the scores of the OWASP ruleset up to levels 1 and 2. */
  readonly owaspScores?: readonly number[] | undefined;
  /** Of the request that was challenged, where this one brings the answer. */
  readonly originatorRay?: string;
  readonly edgeStatus: number;
  /** 0 without an answer of the origin. */
  readonly originStatus: number;
}

export type AskCoreRules = (
  zone: EdgeZone,
  request: RuleRequest,
  level: ParanoiaLevel,
  /** Where it is judged, and not the request. */
  response?: RuleResponse,
) => Promise<CoreJudgement>;

/** What serving a request needs. */
export interface Serving {
  readonly zones: EdgeZones;
  readonly origins: Origins;
  readonly pools: OriginPools;
  readonly counters: RateCounters;
  readonly challenges: Challenges;
  readonly matchedRules: MatchedRulesLog | undefined;
  readonly whereUnjudged: WhereUnjudged;
  /** Makes a ray id with its place. */
  readonly newRay: () => string;
  /** Names this installation in `CDN-Loop`. */
  readonly loopToken: string;
  readonly addressOf: (request: Visit["request"]) => string;
  /** Asks the Core Rule Set beside the event loop, as a long body may take it long. Throws OwnAnswerDue. */
  readonly askCoreRules: AskCoreRules;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called once for each request that a rule did something about. */
  readonly judged: (served: ServedRequest) => void;
  /** Called once for each answer; 499 where the visitor left before it. */
  readonly answered: (status: number) => void;
}

/** What is known of a request while it is served. */
export interface Way extends ReadyVisit {
  readonly visit: Visit;
}

/** An answer that the edge gives instead of the origin. */
export class OwnAnswerDue extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** Answers of the edge itself all say which request they are about. */
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

/** Headers of every answer. */
export const edgeHeaders = (ray: string): Header[] => [
  ["server", "zoneward"],
  ["cf-ray", ray],
];

/** What answers say to visitors who came by TLS. */
export function securityHeaders({ visitor, zone }: Way): readonly Header[] {
  return visitor.isSecure ? zone.settings.securityHeaders : [];
}
