import { encodeText } from "../expression/byte-string.ts";
import { quoteBytes } from "../expression/print.ts";
import { countScore, noScores, type ScoreDistribution } from "../judging/owasp-scores.ts";
import { managedRulesetId, owaspRulesetId } from "../rulesets/phases.ts";

/** The decision of one version of the managed rules about a request. */
export interface VersionMatch {
  readonly isNew: boolean;
  readonly ray: string;
  readonly action: string;
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly description: string;
  readonly host: string;
  readonly path: string;
  /** The rules of the ruleset that added to the score at which the rule acted. */
  readonly scoredBy: readonly string[];
  /** The scores of the rules of the OWASP ruleset up to levels 1 and 2; empty where they are not known. */
  readonly scores: readonly number[];
  /** The number of requests that it stands for. */
  readonly requests: number;
}

interface StoppingRule {
  readonly ruleset_id: string;
  readonly rule_id: string;
  readonly description: string;
  requests: number;
  readonly example: { readonly ray_id: string; readonly host: string; readonly path: string };
}

/** A rule for the entry point of the managed rules that lets these requests pass the new version. */
interface Exception {
  readonly action: "skip";
  readonly description: string;
  readonly expression: string;
  readonly action_parameters: { readonly rules: Record<string, string[]> };
  readonly requests: number;
}

interface Request {
  new: VersionMatch | undefined;
  previous: VersionMatch | undefined;
}

interface ExceptedPlace {
  readonly host: string;
  readonly path: string;
  readonly rules: Map<string, Set<string>>;
  requests: number;
}

const listedMax = 50;
/** Maximum of ids in a rule, far below the limit of rules. */
const ruleIdsMax = 100;
/** The rulesets that are executed; rules of others stand in the entry point itself. */
const executed: ReadonlySet<string> = new Set([managedRulesetId, owaspRulesetId]);
/**
 * Characters of a place in an expression. An expression stays within its limit, however the place is escaped.
 */
const placeLengthMax = 800;

/** Actions that block or challenge a request, as rules name them. */
export const stoppingActions: readonly string[] = ["block", "challenge", "js_challenge", "managed_challenge"];

/**
 * Compares both versions by their decisions about the same requests. The callers bound the number of matches.
 */
export class VersionComparison {
  readonly #requests = new Map<string, Request>();
  /** The last match of each request whose scores are known. */
  readonly #scored = new Map<string, VersionMatch>();

  add(match: VersionMatch): void {
    const request = this.#requests.get(match.ray) ?? { new: undefined, previous: undefined };
    const version = match.isNew ? "new" : "previous";
    // A match that stops the request counts more than one that only logs it.
    if (request[version] === undefined || isStop(match)) request[version] = match;
    this.#requests.set(match.ray, request);
    if (match.scores.length > 0) this.#scored.set(match.ray, match);
  }

  report() {
    const byNew = new Map<string, StoppingRule>();
    const byPrevious = new Map<string, StoppingRule>();
    const places = new Map<string, ExceptedPlace>();
    for (const request of this.#requests.values()) {
      const isNew = isStop(request.new);
      const isPrevious = isStop(request.previous);
      if (isNew && !isPrevious && request.new !== undefined) {
        count(byNew, request.new);
        except(places, request.new);
      }
      if (isPrevious && !isNew && request.previous !== undefined) count(byPrevious, request.previous);
    }
    return {
      stopped_only_by_new: mostFrequent(byNew),
      stopped_only_by_previous: mostFrequent(byPrevious),
      owasp_scores: this.#distributions(),
      exceptions: mostFrequent(places).map(exceptionFor),
    };
  }

  #distributions(): ScoreDistribution[] {
    const distributions = [1, 2].map(noScores);
    for (const { scores, requests } of this.#scored.values())
      for (const [index, score] of scores.entries()) countScore(distributions[index], score, requests);
    return distributions;
  }
}

function isStop(match: VersionMatch | undefined): boolean {
  return match !== undefined && stoppingActions.includes(match.action);
}

function count(rules: Map<string, StoppingRule>, { rulesetId, ruleId, ...match }: VersionMatch): void {
  const key = `${rulesetId} ${ruleId}`;
  const { description, ray: ray_id, host, path } = match;
  const example = { ray_id, host, path };
  const rule = rules.get(key) ?? {
    ruleset_id: rulesetId,
    rule_id: ruleId,
    description,
    requests: 0,
    example,
  };
  rule.requests += match.requests;
  rules.set(key, rule);
}

/**
 * Excepts the rules that scored rather than the rule that acts by the score, as an exception for that would
 * let everything pass.
 */
function except(places: Map<string, ExceptedPlace>, match: VersionMatch): void {
  const { host, path, rulesetId, ruleId, scoredBy } = match;
  if (host.length + path.length > placeLengthMax || !executed.has(rulesetId)) return;
  const key = JSON.stringify([host, path]);
  const place = places.get(key) ?? { host, path, rules: new Map<string, Set<string>>(), requests: 0 };
  const ids = place.rules.get(rulesetId) ?? new Set();
  for (const id of scoredBy.length > 0 ? scoredBy : [ruleId]) if (ids.size < ruleIdsMax) ids.add(id);
  place.rules.set(rulesetId, ids);
  place.requests += match.requests;
  places.set(key, place);
}

function exceptionFor({ host, path, rules, requests }: ExceptedPlace): Exception {
  const quoted = (text: string): string => quoteBytes(encodeText(text));
  return {
    action: "skip",
    description: `Passed by the previous version at ${host}${path}`.slice(0, 200),
    expression: `(http.host eq ${quoted(host)} and http.request.uri.path eq ${quoted(path)})`,
    action_parameters: { rules: Object.fromEntries([...rules].map(([id, ids]) => [id, [...ids]])) },
    requests,
  };
}

function mostFrequent<T extends { readonly requests: number }>(counted: ReadonlyMap<string, T>): T[] {
  return [...counted.values()].toSorted((one, other) => other.requests - one.requests).slice(0, listedMax);
}
