import type { RequestContext } from "../../core/expression/context.ts";
import { ruleMatchesOf, failedMatches, type RuleMatch } from "../../core/judging/rule-matches.ts";
import { CoreJudge, type CoreMatch } from "../../core/judging/core-rules.ts";
import { evaluate } from "../../core/judging/evaluate.ts";
import type { Evaluation, RuleFailure } from "../../core/judging/evaluation.ts";
import { coreLevelAsked } from "../../core/judging/judge-request.ts";
import { responseFirewallPhase } from "../../core/rulesets/phases.ts";
import { requestLimits } from "../../core/judging/request-fields.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/judge.ts";
import type { RuleResponse } from "../../core/seclang/evaluate/request.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import type { OwnAnswer } from "../errors/block-and-error-pages.ts";
import { bodyOctetsAtOnce, type Judging } from "../rules/run-rules.ts";
import type { Exchange } from "../request/exchange.ts";
import { ruledAnswer, unjudgedProblem } from "./ruled-answer.ts";

/** A response as the origin sent it, and as the rules ahead of the firewall left it. */
interface Answered {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly ruled: RequestContext;
}

interface Verdict {
  /** The response in its place; undefined if it may pass. */
  readonly own: OwnAnswer | undefined;
  readonly matches: readonly RuleMatch[];
}

export interface ResponseFirewall {
  /** Octets of the body that rules need; 0 for none. */
  readonly bytesMax: number;
  readonly judge: (start: Buffer) => Promise<Verdict>;
}

/** Content types that may be text; a stream of events is left out, as it never ends. */
const textual =
  /^(?:$|text\/(?!event-stream)|application\/(?:json|javascript|x-javascript|xml)|[^;]*\+(?:json|xml))/i;

/** Creates what judges an origin's response before it is sent; undefined where no rule does. */
export function responseFirewall(
  judging: Judging,
  exchange: Exchange,
  { status, headers, ruled }: Answered,
): ResponseFirewall | undefined {
  const { matchedRules, failMode } = judging;
  const { judged, zone } = exchange;
  const { rules } = zone;
  const stages = rules.responseProgram.filter(
    (stage) => "phase" in stage && stage.phase === responseFirewallPhase,
  );
  if (stages.length === 0 && matchedRules === undefined) return undefined;
  const options = { failMode, tracesUnmatched: false, solved: judged.solved };
  // A first evaluation, on the head alone, finds the paranoia level that rules need.
  let level: ParanoiaLevel | undefined = matchedRules && coreLevelAsked(rules, zone.judging);
  const byHead = evaluate(stages, ruled, {
    ...options,
    coreMatches: (asked) => {
      level = asked > (level ?? 0) ? asked : level;
      return new Map();
    },
  });
  const finish = async (evaluation: Evaluation, found: readonly CoreMatch[] = []): Promise<Verdict> => {
    await matchedRules?.add(exchange, {
      trace: [...judged.trace, ...evaluation.trace],
      previousMatches: judged.previousMatches,
      coreMatches: [...judged.coreMatches, ...found],
    });
    const matches = [
      ...ruleMatchesOf(evaluation.trace, judged.solved),
      ...failedMatches(evaluation.failures, failMode),
    ];
    const { decided } = evaluation;
    return { own: decided && ruledAnswer(judging, exchange, evaluation, decided), matches };
  };
  const { coreRules } = rules;
  if (level === undefined || coreRules === undefined) return { bytesMax: 0, judge: () => finish(byHead) };
  const askedLevel = level;
  const isRead = textual.test(valueIn(headers, "content-type"));
  const findMatches = async (start: Buffer): Promise<readonly CoreMatch[]> => {
    const encoding = valueIn(headers, "content-encoding");
    const decoded = await judging.bodyDecoders.decode(zone.id, encoding, start, requestLimits.bodyOctetsMax);
    const body = decoded?.octets.toString("latin1") ?? "";
    const response: RuleResponse = {
      status,
      headers: headers.map(([name, value]) => ({ name, value })),
      body,
    };
    // Response rules do not read the body of the request.
    const received = { ...judged.received(), body: "" };
    if (body.length <= bodyOctetsAtOnce) return coreRules.judgeResponse(received, response, askedLevel);
    return (await judging.askCoreRules(zone, received, askedLevel, response)).matches;
  };
  return {
    bytesMax: isRead ? requestLimits.bodyOctetsMax : 0,
    judge: async (start) => {
      try {
        const matches = await findMatches(start);
        const core = new CoreJudge(coreRules, judged.received, { level: askedLevel, matches });
        const evaluation = evaluate(stages, ruled, {
          ...options,
          coreMatches: (asked) => core.byRule(asked),
        });
        return await finish(evaluation, matches);
      } catch (error) {
        return unjudged(judging, exchange, error, await finish(byHead));
      }
    },
  };
}

/** The verdict where the Core Rule Set failed. */
function unjudged(
  { failMode }: Judging,
  exchange: Exchange,
  error: unknown,
  { own, matches }: Verdict,
): Verdict {
  const { zone, ray, edge } = exchange;
  edge.logger.error({ err: error, ray, zone: zone.name }, "the Core Rule Set could not judge an answer");
  const description = "The Core Rule Set could not judge the answer";
  const failure: RuleFailure = {
    stage: responseFirewallPhase,
    rulesetId: "",
    ruleId: "",
    description,
    error,
  };
  const stopping = failMode === "open" ? own : exchange.problemAnswer(unjudgedProblem(error));
  return { own: stopping, matches: [...matches, ...failedMatches([failure], failMode)] };
}
