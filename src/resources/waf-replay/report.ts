import type { RecordedRequest } from "../../core/recorded-requests/recorded-request.ts";
import { countScore, noScores, type OwaspScores } from "../../core/judging/owasp-scores.ts";
import type { ActedRule, Outcomes, ReplayedRequest, ReplayReport } from "./schema.ts";

/** The result for one request. */
export interface Outcome {
  readonly request: RecordedRequest;
  readonly recordedAt: Date | undefined;
  /** The rule that stopped the request, otherwise the first that logged it; null without one. */
  readonly new: ActedRule | null;
  /** Undefined after a migration. */
  readonly previous: ActedRule | null | undefined;
  readonly scores: OwaspScores;
}

const listedMax = 1_000;
const urlLengthMax = 2_048;

/** Counts outcomes and lists a bounded number of them. */
export class ReplayTally {
  readonly #new = noOutcomes();
  readonly #previous = noOutcomes();
  readonly #passedByNew: ReplayedRequest[] = [];
  readonly #actedOnByNew: ReplayedRequest[] = [];
  readonly #scores = [1, 2, 3, 4].map(noScores);
  #passedByNewCount = 0;
  #decidedEarlier = 0;

  addDecidedEarlier(): void {
    this.#decidedEarlier += 1;
  }

  add(outcome: Outcome): void {
    this.#new[kindOf(outcome.new)] += 1;
    this.#previous[kindOf(outcome.previous)] += 1;
    for (const [index, score] of outcome.scores.byLevel.entries()) countScore(this.#scores[index], score);
    if (isStop(outcome.previous) && !isStop(outcome.new)) {
      this.#passedByNewCount += 1;
      list(this.#passedByNew, outcome);
    }
    if (outcome.new !== null) list(this.#actedOnByNew, outcome);
  }

  report(
    rest: Pick<
      ReplayReport,
      "format" | "migration_state" | "new_configuration" | "unreadable_entries" | "events"
    > & {
      readonly requests: Omit<ReplayReport["requests"], "decided_earlier">;
      readonly judgesPrevious: boolean;
    },
  ): ReplayReport {
    const { requests, judgesPrevious, events, ...described } = rest;
    return {
      ...described,
      requests: { ...requests, decided_earlier: this.#decidedEarlier },
      new: this.#new,
      previous: judgesPrevious ? this.#previous : null,
      passed_by_new: this.#passedByNew,
      passed_by_new_count: this.#passedByNewCount,
      acted_on_by_new: this.#actedOnByNew,
      owasp_scores: this.#scores,
      events,
    };
  }
}

function noOutcomes(): Outcomes {
  return { block: 0, challenge: 0, log: 0, pass: 0 };
}

function kindOf(rule: ActedRule | null | undefined): keyof Outcomes {
  if (rule === null || rule === undefined) return "pass";
  if (rule.action === "block" || rule.action === "log") return rule.action;
  return "challenge";
}

function isStop(rule: ActedRule | null | undefined): boolean {
  const kind = kindOf(rule);
  return kind === "block" || kind === "challenge";
}

function list(
  requests: ReplayedRequest[],
  { request, recordedAt, scores, previous, ...outcome }: Outcome,
): void {
  if (requests.length >= listedMax) return;
  const [paranoia_level_1, paranoia_level_2, paranoia_level_3, paranoia_level_4] = scores.byLevel;
  requests.push({
    entry: request.entry,
    recorded_on: recordedAt?.toISOString() ?? null,
    method: request.method,
    url: request.url.slice(0, urlLengthMax),
    new: outcome.new,
    previous: previous ?? null,
    owasp_scores: { paranoia_level_1, paranoia_level_2, paranoia_level_3, paranoia_level_4 },
  });
}
