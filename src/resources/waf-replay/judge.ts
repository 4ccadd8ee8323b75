import { isIP } from "node:net";

import type { RequestContext } from "../../core/expression/context.ts";
import { judgeByPreviousWaf, type PreviousAct } from "../../core/previous-waf/judge.ts";
import type { RecordedRequest } from "../../core/recorded-requests/recorded-request.ts";
import { actsOf, skipsPreviousWaf, type Act } from "../../core/rulesets/acts.ts";
import { findManagedRuleset } from "../../core/rulesets/catalogue/catalogue.ts";
import { evaluate, statusOf } from "../../core/rulesets/evaluate.ts";
import { owaspScores, type OwaspScores } from "../../core/rulesets/owasp-scores.ts";
import type { Program } from "../../core/rulesets/program.ts";
import { fieldsOf, splitUrl } from "../../core/rulesets/request-fields.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import { parseTimestamp } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { ExpressionEngine } from "../context.ts";
import { managedPhase, type Meets } from "../rulesets/rulesets.ts";

type UrlParts = NonNullable<ReturnType<typeof splitUrl>>;

/** A recorded request for a host of the zone. */
export interface ReplayableRequest {
  readonly recorded: RecordedRequest;
  readonly parts: UrlParts;
  /** Who sent it, else who replays it. */
  readonly address: string;
}

/** Undefined for a request that was for another host, or for none. */
export function ofZone(
  recorded: RecordedRequest,
  { name }: Pick<ZoneRow, "name">,
  caller: string,
): ReplayableRequest | undefined {
  const parts = splitUrl(recorded.url);
  const host = parts === undefined ? "" : hostOf(parts).name;
  if (parts === undefined || (host !== name && !host.endsWith(`.${name}`))) return undefined;
  const { client = "" } = recorded;
  return { recorded, parts, address: isIP(client) === 0 ? caller : client };
}

/** What judges the requests of one zone. */
export interface Judges {
  readonly zone: ZoneRow;
  readonly vendor: string;
  readonly program: Program;
  readonly meets: Meets;
  readonly createContext: ExpressionEngine["createContext"];
  /** Undefined where the previous version is turned off. */
  readonly previous: PreviousWaf | undefined;
  /** Seconds since 1970, for requests that do not say when they were sent. */
  readonly time: number;
}

export interface Verdict {
  /** Of phases ahead of the managed rules. */
  readonly earlier: readonly Act[];
  /** Whether a rule ahead ended the way of the request. */
  readonly isDecidedEarlier: boolean;
  readonly new: readonly Act[];
  readonly previous: readonly PreviousAct[];
  readonly scores: OwaspScores;
  /** What the new version answers; undefined where it lets the request pass. */
  readonly status: number | undefined;
}

const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
const owaspRulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";

/** Leads a request through the new version and then the previous one (decision 28). */
export function judge(judges: Judges, { recorded, parts, address }: ReplayableRequest): Verdict {
  const { zone, vendor, program, meets, createContext, previous } = judges;
  const request = createContext(
    fieldsOf({ ...recorded, zone, address, time: secondsOf(recorded) ?? judges.time, known: {} }, parts),
  );
  const { decided, trace } = evaluate(program, request);
  const acts = actsOf(trace);
  const isDecidedEarlier =
    decided !== undefined && !trace.some(({ step_name }) => step_name === managedPhase);
  const owaspRules = findManagedRuleset(owaspRulesetId, vendor)?.rules ?? [];
  const scores = owaspScores(owaspRules, ({ expression }) => meets(expression, request));
  const isAsked = previous !== undefined && !isDecidedEarlier && !skipsPreviousWaf(trace);
  return {
    earlier: acts.filter(({ phase }) => phase !== managedPhase),
    isDecidedEarlier,
    new: acts.filter(({ phase }) => phase === managedPhase),
    previous: isAsked
      ? judgeByPreviousWaf(previous, {
          url: urlOf(parts),
          isAjax: recorded.headers["x-requested-with"]?.toLowerCase() === "xmlhttprequest",
          bypasses: (expression) => meets(expression, request),
          matches: matchesManagedRule(vendor, meets, request),
          owaspScores: scores.usual,
        })
      : [],
    scores,
    status: decided === undefined ? undefined : statusOf(decided.rule),
  };
}

function matchesManagedRule(vendor: string, meets: Meets, request: RequestContext) {
  const expressions = managedExpressions(vendor);
  return (ruleId: string): boolean => {
    const expression = expressions.get(ruleId);
    return expression !== undefined && meets(expression, request);
  };
}

const expressionsOfVendors = new Map<string, ReadonlyMap<string, string>>();

/** The expressions of the Managed Ruleset by the ids of its rules. */
function managedExpressions(vendor: string): ReadonlyMap<string, string> {
  const known = expressionsOfVendors.get(vendor);
  if (known !== undefined) return known;
  const rules = findManagedRuleset(managedRulesetId, vendor)?.rules ?? [];
  const made = new Map(rules.map(({ id, expression }) => [id, expression]));
  expressionsOfVendors.set(vendor, made);
  return made;
}

function hostOf({ host }: UrlParts): { readonly name: string; readonly port: number | undefined } {
  const [, name = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return { name, port: port === undefined ? undefined : Number(port) };
}

function urlOf(parts: UrlParts) {
  const { name, port = parts.isSecure ? 443 : 80 } = hostOf(parts);
  const scheme = parts.isSecure ? ("https" as const) : ("http" as const);
  return { scheme, host: name, port, path: parts.path, query: parts.query };
}

function secondsOf({ startedOn }: RecordedRequest): number | undefined {
  const timestamp = startedOn === undefined ? undefined : parseTimestamp(startedOn);
  return timestamp === undefined ? undefined : Math.floor(Date.parse(timestamp) / 1000);
}
