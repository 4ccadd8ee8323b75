import { firewallRulesetId } from "../../core/firewall-products/firewall-rules.ts";
import type { RuleProduct, SettingProduct } from "../../core/rulesets/phases.ts";
import type { PreviousMatch } from "../../core/previous-waf/judge.ts";
import type { RuleMatch, ScoringRule } from "../../core/judging/rule-matches.ts";
import { splitUrl } from "../../core/judging/described-request.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { lockZone } from "../../operation/scope.ts";
import { createPause } from "../../operation/pause.ts";
import { conditionOf, timesOf } from "./filter.ts";
import { insertSecurityEvents, selectSecurityEvents, sliceSecurityEvents } from "./store.ts";

/** The fields of events that describe the request. */
export interface JudgedRequest {
  /** 16 hexadecimal characters; made up for a request that was not served. */
  readonly ray?: string;
  readonly method: string;
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly protocol: string;
  readonly userAgent: string;
  /** Its `Referer` header; empty without one. */
  readonly referer: string;
  readonly address: string;
  /** Two letters; empty if unknown. */
  readonly country: string;
  /** Number of the autonomous system; absent if unknown. */
  readonly asn?: number;
  /** Name of its owner; absent if unknown. */
  readonly asnDescription?: string;
  /** Location code of the edge; absent for a request that was not served. */
  readonly colo?: string;
  /** The ray id of the challenged request, where this one carries the answer. */
  readonly originatorRay?: string;
  /** Status of the answer and of the origin; 0 without one. */
  readonly edgeStatus: number;
  readonly originStatus: number;
}

/** The action of one rule on a request. */
export interface EventMatch {
  readonly source:
    | RuleProduct
    | SettingProduct
    | "firewallrules"
    | "firewallCustom"
    | "ratelimit"
    | "firewallManaged"
    | "waf"
    | "dlp";
  /**
   * The action as rules name it, `block`, `managed_challenge`, `log`, `skip`; or what became of a challenge.
   */
  readonly action: string;
  /** Empty for a rule of no ruleset. */
  readonly rulesetId: string;
  readonly ruleId: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The phases and products whose rules record events. */
const sourcesOfStages: Readonly<Record<string, EventMatch["source"]>> = {
  ip: "ip",
  ipRange: "ipRange",
  asn: "asn",
  country: "country",
  http_request_firewall_custom: "firewallCustom",
  zoneLockdown: "zoneLockdown",
  uaBlock: "uaBlock",
  bic: "bic",
  securityLevel: "securityLevel",
  hot: "hot",
  http_ratelimit: "ratelimit",
  http_request_firewall_managed: "firewallManaged",
  waf: "waf",
  http_response_firewall_managed: "dlp",
};

/** The matches that are recorded as events. */
export function toEventMatches(matches: readonly RuleMatch[]): EventMatch[] {
  return matches.flatMap(({ stage, rulesetId, ruleId, description, action, isUnjudged, score, scoredBy }) => {
    const isFirewallRule = rulesetId === firewallRulesetId;
    const source = isFirewallRule
      ? "firewallrules"
      : (sourcesOfStages[stage] ?? (isUnjudged && "firewallCustom"));
    if (source === undefined) return [];
    const metadata = {
      ...(isUnjudged && { unjudged: "true" }),
      ...(score !== undefined && scoreMetadata(score, scoredBy)),
    };
    return [
      {
        source,
        action,
        rulesetId: isFirewallRule ? "" : rulesetId,
        ruleId,
        message: description,
        metadata,
      },
    ];
  });
}

const listedRulesMax = 32;

/** The sum, the rules that added to it, and for those of the Core Rule Set what they matched. */
function scoreMetadata(score: number, scoredBy: readonly ScoringRule[] = []): Record<string, string> {
  const matches = scoredBy
    .slice(0, listedRulesMax)
    .flatMap(({ ruleId, data, ...rule }) =>
      data === undefined ? [] : [[`match_${ruleId}`, JSON.stringify({ ...rule, ...data })] as const],
    );
  return {
    score: String(score),
    scored_by: scoredBy.map(({ description }) => description).join("; "),
    ...Object.fromEntries(matches),
  };
}

/** A match of the previous version of the managed rules. */
export function previousEventOf({
  packageId,
  ruleId,
  description,
  action,
  score,
}: Omit<PreviousMatch, "action"> & Pick<EventMatch, "action">): EventMatch {
  const metadata = score === undefined ? {} : { score: String(score) };
  return { source: "waf", action, rulesetId: packageId, ruleId, message: description, metadata };
}

/** A request, and what the rules did with it in their order. */
export interface Judgement {
  readonly request: JudgedRequest;
  readonly matches: readonly EventMatch[];
  /** Added to the metadata of each match. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The number of requests that it stands for; 1 by default. */
  readonly sampleInterval?: number;
}

/** An event before its zone is locked, which says of which account it is. */
export type NewSecurityEvent = Omit<SecurityEventRow, "account_id">;

const actsAtOnce = 1_000;

/**
 * Records an event for each match, up to 1,000 in a transaction; returns the number of events.
 * Errors: 404 code 1001 if the zone was deleted meanwhile.
 */
export async function recordSecurityEvents(
  context: Pick<Context, "db" | "now" | "newId" | "newLogId">,
  zone: Pick<ZoneRow, "id">,
  judgements: readonly Judgement[],
): Promise<number> {
  const rows = judgements.flatMap((judgement) => securityEventsOf(context, zone, judgement));
  await storeSecurityEvents(context, zone, rows);
  return rows.length;
}

/**
 * Stores events of a zone, up to 1,000 in a transaction. Those that are stored already are left. Errors: as
 * above.
 */
export async function storeSecurityEvents(
  { db }: Pick<Context, "db">,
  zone: Pick<ZoneRow, "id">,
  events: readonly NewSecurityEvent[],
): Promise<void> {
  for (let from = 0; from < events.length; from += actsAtOnce) {
    const portion = events.slice(from, from + actsAtOnce);
    await db.transaction(async (tx) => {
      const { account_id } = await lockZone(tx, zone.id);
      await insertSecurityEvents(
        tx,
        portion.map((event) => Object.assign({ account_id }, event)),
      );
    });
  }
}

export interface EventQuery {
  /** A validated filter (`filter.ts`). */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly direction: "asc" | "desc";
  readonly limit: number;
}

/**
 * The events of a zone that match the filter, by time; looked for slice by slice. Throws FilterTooLargeError.
 */
export async function listSecurityEvents(
  db: Db,
  zoneId: string,
  { filter, direction, limit }: EventQuery,
): Promise<SecurityEventRow[]> {
  const condition = conditionOf(filter);
  const pause = createPause();
  const events: SecurityEventRow[] = [];
  for await (const slice of sliceSecurityEvents(db, zoneId, { ...timesOf(condition), direction })) {
    const asked = { condition, slice, limit: limit - events.length };
    events.push(...(await selectSecurityEvents(db, zoneId, asked)));
    if (events.length >= limit) break;
    await pause();
  }
  return events;
}

const pageSize = 500;

/** Events of a zone, the newest first, in pages; `eventsMax` of them at most. */
export async function* newestSecurityEvents(
  db: Db,
  zoneId: string,
  { since, eventsMax }: { readonly since: Timestamp; readonly eventsMax: number },
): AsyncGenerator<SecurityEventRow[], void, undefined> {
  const condition = { column: "datetime", comparison: ">=", value: since } as const;
  let after: SecurityEventRow | undefined;
  for (let read = 0; read < eventsMax; read += pageSize) {
    const slice = { direction: "desc", after, last: undefined } as const;
    const page = await selectSecurityEvents(db, zoneId, { condition, slice, limit: pageSize });
    after = page.at(-1);
    yield page;
    if (page.length < pageSize) return;
  }
}

/** An event for each match, with ids of their own. */
export function securityEventsOf(
  { now, newId, newLogId }: Pick<Context, "now" | "newId" | "newLogId">,
  zone: Pick<ZoneRow, "id">,
  { request, matches, metadata, sampleInterval = 1 }: Judgement,
): NewSecurityEvent[] {
  if (matches.length === 0) return [];
  const datetime = toTimestamp(new Date(Math.floor(now().getTime() / 1000) * 1000));
  // Ids begin with the time and end with random digits.
  const ray_name = request.ray ?? newId().slice(-16);
  const referer = splitUrl(request.referer);
  return matches.map((match, index) => ({
    id: newLogId(),
    zone_id: zone.id,
    datetime,
    ray_name,
    // Counted from the rule that matched last.
    match_index: matches.length - 1 - index,
    kind: "firewall",
    source: match.source,
    action: match.action,
    ruleset_id: match.rulesetId,
    rule_id: match.ruleId,
    rule_message: storable(match.message),
    client_ip: request.address,
    client_asn: request.asn === undefined ? "" : String(request.asn),
    client_asn_description: storable(request.asnDescription ?? ""),
    edge_colo: request.colo ?? "",
    originator_ray_name: request.originatorRay ?? "",
    client_country: storable(request.country),
    user_agent: storable(request.userAgent),
    referer_scheme: referer === undefined ? "" : schemeOf(referer),
    referer_host: storable(referer?.host ?? ""),
    referer_path: storable(referer?.path ?? ""),
    referer_query: storable(referer?.query ?? ""),
    request_scheme: request.scheme,
    host: storable(request.host),
    method: storable(request.method),
    protocol: storable(request.protocol),
    path: storable(request.path),
    query: storable(request.query),
    edge_status: request.edgeStatus,
    origin_status: request.originStatus,
    sample_interval: sampleInterval,
    metadata: toMetadata({ ...match.metadata, ...metadata }),
  }));
}

function schemeOf({ isSecure }: { readonly isSecure: boolean }): JudgedRequest["scheme"] {
  return isSecure ? "https" : "http";
}

function toMetadata(entries: Readonly<Record<string, string>>): SecurityEventRow["metadata"] {
  return toJson(Object.entries(entries).map(([key, value]) => ({ key, value: storable(value) })));
}

const charactersMax = 2_048;

/** Removes U+0000, which PostgreSQL cannot store, and truncates. */
function storable(text: string): string {
  return text.slice(0, charactersMax).replaceAll("\0", "\uFFFD").toWellFormed();
}
