import { decodeText } from "../expression/byte-string.ts";
import {
  type RuleMatch,
  judgeAtLevel,
  leaveLevelToCaller,
  type ParanoiaLevel,
} from "../seclang/evaluate/judge.ts";
import type { RuleRequest, RuleResponse } from "../seclang/evaluate/request.ts";
import { type Phase, type Rule as DetectingRule, type RuleSet, scoreOf } from "../seclang/evaluate/rule.ts";
import type { Rule } from "../rulesets/rule.ts";

/** A release of the OWASP Core Rule Set, evaluated in place of the built-in rules of the OWASP ruleset. */
export interface CoreRules {
  /** The version of the ruleset: `30304` for release 3.3.4. */
  readonly version: string;
  readonly description: string;
  readonly last_updated: string;
  /** The rules that add to the score, in order; without the one that blocks by it. */
  readonly rules: readonly Rule[];
  /** The rules for responses, and the one that blocks by their score. */
  readonly responseRules: readonly Rule[];
  /** The rules up to a level that match a request, in the order of evaluation. */
  readonly judge: (request: RuleRequest, level: ParanoiaLevel) => readonly CoreMatch[];
  /** The rules up to a level that match the response to a request. */
  readonly judgeResponse: (
    request: RuleRequest,
    response: RuleResponse,
    level: ParanoiaLevel,
  ) => readonly CoreMatch[];
}

/** A rule of the Core Rule Set that matched; plain data. */
export interface CoreMatch {
  /** Its number in the Core Rule Set: `942100`. */
  readonly number: number;
  /** Its id in the OWASP rulesets; undefined for a rule that detects nothing. */
  readonly ruleId: string | undefined;
  readonly level: ParanoiaLevel;
  /** Its part of the score, for all values that it matched. */
  readonly score: number;
  readonly data: MatchedData;
  /**
   * The message of its rule for this request, where it names something of the request; undefined where the
   * description of the rule says it.
   */
  readonly message: string | undefined;
}

/** The rule that blocks by the score of a response. */
const responseScoreRuleId = "b267fa314078e80abd0f5970459f549d";

interface Release {
  readonly set: RuleSet;
  /** RFC 3339. */
  readonly lastUpdated: string;
  /** The built-in rule of a number, whose id and reference the rule of the release takes over. */
  readonly builtInRule: (number: number) => Pick<Rule, "id" | "ref" | "categories"> | undefined;
  /** A hash of 32 hexadecimal digits. */
  readonly digest: (text: string) => string;
}

export function createCoreRules({ set, lastUpdated, builtInRule, digest }: Release): CoreRules {
  const listed = (of: Numbers) =>
    set.rules
      .filter((rule) => isDetecting(rule, of))
      .map((detecting) => ({
        detecting,
        rule: toRule(detecting, builtInRule(detecting.id), { lastUpdated, digest }),
      }));
  const ofRequests = listed(requestNumbers);
  const ofResponses = listed(responseNumbers);
  const known = new Map(
    [...ofRequests, ...ofResponses].map(({ detecting, rule }) => [
      detecting.id,
      { ruleId: rule.id, level: levelOf(detecting) },
    ]),
  );
  const speaking = new Set(set.rules.flatMap(({ id, message }) => (message.includes("%{") ? [id] : [])));
  const toMatch = ({ id, score, variable, value, message }: RuleMatch): CoreMatch => {
    const shown = (text: string) => withoutSecrets({ variable: readable(variable), value: readable(text) });
    return {
      number: id,
      ...(known.get(id) ?? unlisted),
      score,
      data: shown(value),
      message: speaking.has(id) ? shown(message).value : undefined,
    };
  };
  const isOfResponses = new Set(set.rules.filter(({ phase }) => phase >= 3).map(({ id }) => id));
  const judging = leaveLevelToCaller(set);
  const name = (set.version ?? "OWASP_CRS").replaceAll(/[_/]/g, " ");
  return {
    version: versionOf(set.version),
    description: `${name}, whose rules add up what they find; the last one acts by the sum`,
    last_updated: lastUpdated,
    rules: ofRequests.map(({ rule }) => rule),
    responseRules: [...ofResponses.map(({ rule }) => rule), actingOnResponses(lastUpdated)],
    judge: (request, level) =>
      judgeAtLevel(judging, request, level)
        .matches.filter(({ isLogged }) => isLogged)
        .map(toMatch),
    judgeResponse: (request, response, level) =>
      judgeAtLevel(judging, request, level, response)
        .matches.filter(({ id, isLogged }) => isLogged && isOfResponses.has(id))
        // Each looks at one value, and adds to another score than rules of requests do.
        .map((match) => toMatch({ ...match, score: scoreOf(match.severity) })),
  };
}

const unlisted = { ruleId: undefined, level: 1 } as const;

interface Numbers {
  readonly first: number;
  readonly last: number;
  readonly phases: readonly Phase[];
}

/** Rules before set up, and those between and after count and report. */
const requestNumbers: Numbers = { first: 910_000, last: 948_999, phases: [1, 2] };
const responseNumbers: Numbers = { first: 950_000, last: 958_999, phases: [3, 4] };

function isDetecting({ id, phase, severity }: DetectingRule, { first, last, phases }: Numbers): boolean {
  const isNamed = isOwn(id) || (id >= first && id <= last);
  return isNamed && phases.includes(phase) && scoreOf(severity) > 0;
}

/** A rule of the operator or of a plugin: the Core Rule Set has the numbers from 900,000 to 999,999. */
const isOwn = (id: number): boolean => id < 900_000 || id > 999_999;

/** Blocks at the score of one error, like the Core Rule Set itself. */
function actingOnResponses(last_updated: string): Rule {
  return {
    id: responseScoreRuleId,
    version: "1",
    action: "block",
    expression: "true",
    description: "959100: Outbound Anomaly Score Exceeded",
    last_updated,
    ref: responseScoreRuleId,
    enabled: true,
    score_threshold: 4,
  };
}

function toRule(
  rule: DetectingRule,
  builtIn: ReturnType<Release["builtInRule"]>,
  { lastUpdated, digest }: Pick<Release, "lastUpdated" | "digest">,
): Rule {
  const id = builtIn?.id ?? digest(`owasp-crs/${rule.id}`);
  return {
    id,
    version: "1",
    action: "score",
    action_parameters: { increment: scoreOf(rule.severity) },
    // The condition is in SecLang.
    expression: "true",
    categories: categoriesOf(rule, builtIn?.categories),
    // The value of a macro such as `(%{MATCHED_VAR})` is known once a request matches.
    description: `${rule.id}: ${rule.message.replaceAll(/\s*\(?%\{[^}]*\}\)?/g, "")}`,
    last_updated: lastUpdated,
    ref: builtIn?.ref ?? id,
    enabled: true,
  };
}

/** Categories that have another name than their tag. */
const categoryOfTag: Readonly<Record<string, string>> = {
  "attack-fixation": "session-fixation",
  "attack-lfi": "lfi",
  "attack-protocol": "protocol",
  "attack-rce": "rce",
  "attack-reputation-scanner": "scanner",
  "attack-rfi": "rfi",
  "attack-sqli": "sqli",
  "attack-xss": "xss",
};

/** The level first, as in the built-in rules; then their categories and the tags, without references to other lists. */
function categoriesOf(rule: DetectingRule, builtIn: readonly string[] = []): string[] {
  const ofTags = rule.tags.filter((tag) => /^[a-z-]+$/.test(tag)).map((tag) => categoryOfTag[tag] ?? tag);
  const others = builtIn.filter((category) => !category.startsWith("paranoia-level-"));
  return [...new Set([`paranoia-level-${levelOf(rule)}`, ...others, ...ofTags])];
}

function levelOf({ tags }: DetectingRule): ParanoiaLevel {
  const level = Number(tags.find((tag) => tag.startsWith("paranoia-level/"))?.at(-1));
  return level === 2 || level === 3 || level === 4 ? level : 1;
}

/** `30304` for `OWASP_CRS/3.3.4`. */
function versionOf(signature = ""): string {
  const [, major = 0, minor = 0, patch = 0] = /(\d+)\.(\d+)\.(\d+)/.exec(signature) ?? [];
  return String(Number(major) * 10_000 + Number(minor) * 100 + Number(patch));
}

const shownLengthMax = 200;

/** The beginning of a byte string as text. */
function readable(bytes: string): string {
  const text = decodeText(bytes) ?? bytes;
  return text.length <= shownLengthMax ? text : `${text.slice(0, shownLengthMax)}…`;
}

/** The rules of the Core Rule Set that matched a request, up to a paranoia level. */
export interface CoreJudgement {
  readonly level: ParanoiaLevel;
  readonly matches: readonly CoreMatch[];
}

/** The reason why they could not be asked. */
export interface CoreFailure {
  readonly error: unknown;
}

/**
 * Evaluates the Core Rule Set on one request when first asked; again only if a higher level is asked for
 * later.
 */
export class CoreJudge {
  readonly #rules: CoreRules;
  readonly #request: () => RuleRequest;
  #failure: CoreFailure | undefined;
  #known: CoreJudgement | undefined;

  /** `known` is the result of an earlier evaluation, or why it failed. */
  constructor(rules: CoreRules, request: () => RuleRequest, known?: CoreJudgement | CoreFailure) {
    this.#rules = rules;
    this.#request = request;
    if (known !== undefined && "error" in known) this.#failure = known;
    else this.#known = known;
  }

  /** The judgement up to the highest level that was asked for, or why it failed; undefined before. */
  get judgement(): CoreJudgement | CoreFailure | undefined {
    return this.#failure ?? this.#known;
  }

  /** Every rule that matched so far, of any level; empty before the first evaluation. */
  get matches(): readonly CoreMatch[] {
    return this.#known?.matches ?? [];
  }

  upTo(level: ParanoiaLevel): readonly CoreMatch[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#known === undefined || this.#known.level < level) {
      this.#known = { level, matches: this.#judge(level) };
    }
    const { level: judged, matches } = this.#known;
    return judged === level ? matches : matches.filter((match) => match.level <= level);
  }

  /** A failed judgement is not tried again: the request may have been let go of. */
  #judge(level: ParanoiaLevel): readonly CoreMatch[] {
    try {
      return this.#rules.judge(this.#request(), level);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** The rules of the ruleset that match, by their ids. */
  byRule(level: ParanoiaLevel): ReadonlyMap<string, CoreMatch> {
    return new Map(
      this.upTo(level).flatMap((match) => (match.ruleId === undefined ? [] : [[match.ruleId, match]])),
    );
  }
}

/** The value that a rule matched last, as the rule saw it: truncated, and with secrets replaced. */
export interface MatchedData {
  /** `ARGS:q`. */
  readonly variable: string;
  readonly value: string;
}

const hidden = "(not shown)";

const secret =
  "passw|passphrase|pwd|secret|token|credential|authoriz|api[-_]?key|private[-_]?key|session|cvv|card[-_]?num|(?<![a-z])(?:auth|csrf|otp|pass|pin|sid)(?![a-z])";
const secretName = new RegExp(secret, "i");
/** `password=...` and `"password": "..."` within a longer value. */
const secretPair = new RegExp(`((?:${secret})[\\w-]{0,20}"?\\s{0,3}[=:]\\s{0,3}"?)[^&;,"\\s]+`, "gi");
const secretHeaders: ReadonlySet<string> = new Set(["cookie", "proxy-authorization"]);

/** Hides cookies, credentials in headers, and values whose name suggests a secret. */
function withoutSecrets({ variable, value }: MatchedData): MatchedData {
  const [collection = "", name = ""] = variable.split(/:(.*)/s);
  const isHidden =
    collection === "REQUEST_COOKIES" || secretHeaders.has(name.toLowerCase()) || secretName.test(name);
  return { variable, value: isHidden ? hidden : value.replaceAll(secretPair, `$1${hidden}`) };
}
