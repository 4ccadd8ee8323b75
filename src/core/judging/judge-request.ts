import type { ListTest, PartJudge, RequestContext } from "../expression/context.ts";
import { previousWafJudge, scoresOf } from "./previous-version.ts";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";
import {
  CoreJudge,
  type CoreFailure,
  type CoreJudgement,
  type CoreMatch,
  type CoreRules,
} from "./core-rules.ts";
import type { DescribedRequest, UrlParts } from "./described-request.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluation, EvaluateOptions, Solved } from "./evaluation.ts";
import type { Meets, Program, RunnableRule } from "./program.ts";
import { addUp, type OwaspScores } from "./owasp-scores.ts";
import type { HeaderChange } from "../transforms/request-headers.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import { requestContext, type ZoneOfRequest } from "./request-fields.ts";
import { encodeText } from "../expression/byte-string.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";

/** The compiled rules for requests of a zone. */
export interface RunningRules {
  readonly program: Program;
  readonly responseProgram: Program;
  /** Changes of managed transforms to the responses of origins. */
  readonly responseChanges: readonly HeaderChange[];
  readonly meets: Meets;
  readonly lists: ReadonlyMap<string, ListTest>;
  /** The release of the Core Rule Set in force; undefined for the built-in rules. */
  readonly coreRules: CoreRules | undefined;
  /** The highest paranoia level that the rules execute; undefined if they execute no Core Rule Set. */
  readonly coreLevel: ParanoiaLevel | undefined;
  /** Whether a rate limit tells visitors behind one address from each other. */
  readonly tellsVisitorsApart: boolean;
}

/** Facts of a zone that the evaluation needs besides its rules. */
export interface JudgingZone extends ZoneOfRequest {
  readonly vendor: string;
  /** The previous version of the managed rules; undefined after a migration. */
  readonly previous: PreviousWaf | undefined;
}

export interface Judged extends Evaluation {
  /** The request before the first stage. */
  readonly sent: RequestContext;
  readonly solved: Solved;
  /** Computed on demand, as few callers need it. */
  readonly scores: () => OwaspScores;
  /**
   * The scores of the OWASP ruleset up to levels 1 and 2; undefined if the previous version is not evaluated.
   */
  readonly previousScores: () => readonly [number, number] | undefined;
  /**
   * All rules of the Core Rule Set that matched, including those for setup and counting; empty if it was not
   * evaluated.
   */
  readonly coreMatches: readonly CoreMatch[];
  /** The same, for a further evaluation of the request. */
  readonly coreJudgement: CoreJudgement | CoreFailure | undefined;
}

export interface JudgeOptions extends Omit<EvaluateOptions, "previousWaf" | "coreMatches"> {
  /** The result of an earlier evaluation of the Core Rule Set. A failure counts once a rule asks for it. */
  readonly coreJudgement?: CoreJudgement | CoreFailure | undefined;
  /** Judges the costly parts of rules; by default they are all judged at once. */
  readonly parts?: PartJudge;
}

/** The highest paranoia level that the previous version of the managed rules counts. */
const previousLevelMax = 2;

/**
 * The highest paranoia level of the Core Rule Set that evaluating a request may need; undefined if it needs
 * none.
 */
export function coreLevelAsked(
  { coreRules, coreLevel }: Pick<RunningRules, "coreRules" | "coreLevel">,
  { previous }: Pick<JudgingZone, "previous">,
): ParanoiaLevel | undefined {
  const isForPrevious = coreRules !== undefined && previous?.isOn === true;
  return isForPrevious && (coreLevel ?? 0) < previousLevelMax ? previousLevelMax : coreLevel;
}

/**
 * Evaluates the rules of a zone on one request. The request tracer, replays of recorded requests and the edge
 * all use this function. Throws BodyUnread where a rule needs a body that is still to be read.
 */
export function judgeRequest(
  rules: RunningRules,
  zone: JudgingZone,
  request: DescribedRequest,
  parts: UrlParts,
  options: JudgeOptions = {},
): Judged {
  const { program, meets, lists, coreRules } = rules;
  const { vendor, previous } = zone;
  const sent = requestContext(request, zone, parts, lists, options.parts);
  const core =
    coreRules && new CoreJudge(coreRules, () => ruleRequestOf(request, parts), options.coreJudgement);
  let known: OwaspScores | undefined;
  const scores = (): OwaspScores =>
    (known ??= core ? addUp(core.upTo(4)) : scoresOf(vendor, (expression) => meets(expression, sent)));
  const countedByPrevious = () => (core ? addUp(core.upTo(previousLevelMax)) : scores());
  const asked = { sent, headers: request.headers, vendor, meets, scores: () => countedByPrevious().byRule };
  const evaluation = evaluate(program, sent, {
    ...options,
    ...(core !== undefined && { coreMatches: (level) => core.byRule(level) }),
    ...(previous !== undefined && { previousWaf: previousWafJudge(previous, asked) }),
  });
  return {
    // Member by member: V8 takes several times as long to spread an object with private members.
    decided: evaluation.decided,
    trace: evaluation.trace,
    previousMatches: evaluation.previousMatches,
    request: evaluation.request,
    route: evaluation.route,
    configuration: evaluation.configuration,
    removedHeaders: evaluation.removedHeaders,
    failures: evaluation.failures,
    answerLimits: evaluation.answerLimits,
    sent,
    solved: options.solved ?? new Map(),
    scores,
    previousScores: () => {
      if (previous?.isOn !== true) return undefined;
      const [first, second] = countedByPrevious().byLevel;
      return [first, second];
    },
    coreMatches: core?.matches ?? [],
    coreJudgement: core?.judgement,
  };
}

/** Methods whose requests have a `Content-Length` even without a body. */
const withLength: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * The request as received or, if it was only described, as a client would send it: with a `Content-Length`.
 */
function ruleRequestOf(request: DescribedRequest, { path, query }: UrlParts): RuleRequest {
  if (request.received !== undefined) return request.received();
  const { method, protocol = "HTTP/1.1", body, address } = request;
  const headers = request.headers.map(([name, value]) => ({ name, value }));
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  const hasLength = names.has("content-length") || names.has("transfer-encoding");
  if (!hasLength && (body !== "" || withLength.has(method)))
    headers.push({ name: "Content-Length", value: String(body.length) });
  return {
    method,
    target: encodeText(query === "" ? path : `${path}?${query}`),
    protocol,
    headers,
    body,
    remoteAddress: address,
  };
}

const phase = "http_request_firewall_custom";
const description = "The rules of the zone could not be made ready";
const rule: RunnableRule["rule"] = {
  id: "",
  version: "",
  last_updated: "",
  ref: "",
  action: "block",
  expression: "true",
  description,
  enabled: true,
};

/**
 * Takes the place of the rules of a zone that could not be compiled because of `error`: a single rule, whose evaluation
 * fails, so that the fail mode decides about each request.
 */
export function failingRules(error: unknown): RunningRules {
  const fail = (): never => {
    throw error;
  };
  const failing: RunnableRule = {
    rule,
    matches: fail,
    executes: undefined,
    redirects: undefined,
    limit: undefined,
    rewrites: undefined,
  };
  const ruleset = { id: "", name: "", description, kind: "zone" } as const;
  return {
    program: [{ phase, entryPoints: [{ ruleset, rules: [failing], coreLevel: undefined }] }],
    responseProgram: [],
    responseChanges: [],
    meets: fail,
    lists: new Map(),
    coreRules: undefined,
    coreLevel: undefined,
    tellsVisitorsApart: false,
  };
}
