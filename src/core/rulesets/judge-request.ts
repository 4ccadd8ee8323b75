import { createContext, type ListTest, type RequestContext } from "../expression/context.ts";
import { previousWafJudge, scoresOf } from "../previous-waf/previous-version.ts";
import type { UrlNormalization } from "../transforms/url-normalization.ts";
import type { PreviousWaf } from "../waf-plan/previous-waf.ts";
import { evaluate, type Evaluation, type EvaluateOptions } from "./evaluate.ts";
import type { Meets } from "./library.ts";
import type { OwaspScores } from "./owasp-scores.ts";
import type { Program } from "./program.ts";
import { fieldsOf, type DescribedRequest, type UrlParts } from "./request-fields.ts";

/** The rules that judge the requests of a zone, ready to run. */
export interface RunningRules {
  readonly program: Program;
  /** What answers pass. */
  readonly responseProgram: Program;
  readonly meets: Meets;
  /** Those that the rules name. */
  readonly lists: ReadonlyMap<string, ListTest>;
}

/** What else judges the requests of a zone. */
export interface JudgingZone {
  readonly zone: DescribedRequest["zone"];
  readonly vendor: string;
  readonly urlNormalization: UrlNormalization;
  /** The previous version of the managed rules; undefined after a migration. */
  readonly previous: PreviousWaf | undefined;
}

export interface Judged extends Evaluation {
  /** Before the first stage. */
  readonly sent: RequestContext;
  /** Computed when it is asked for, as only few ask. */
  readonly scores: () => OwaspScores;
}

/**
 * Judges one request by the rules of its zone. The request tracer, replays of recorded requests and the edge all judge by
 * this function.
 */
export function judgeRequest(
  rules: RunningRules,
  { zone, vendor, urlNormalization, previous }: JudgingZone,
  request: Omit<DescribedRequest, "zone" | "urlNormalization">,
  parts: UrlParts,
  options: Omit<EvaluateOptions, "previousWaf"> = {},
): Judged {
  const { program, meets, lists } = rules;
  const sent = createContext(fieldsOf({ ...request, zone, urlNormalization }, parts), lists);
  let known: OwaspScores | undefined;
  const scores = () => (known ??= scoresOf(vendor, (expression) => meets(expression, sent)));
  const asked = { parts, headers: request.headers, vendor, meets, scores: () => scores().usual };
  const evaluation = evaluate(program, sent, {
    ...options,
    ...(previous !== undefined && { previousWaf: previousWafJudge(previous, asked) }),
  });
  return { ...evaluation, sent, scores };
}
