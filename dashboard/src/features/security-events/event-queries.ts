import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { ApiError } from "../../api/api-error.ts";
import { call, type ApiCall } from "../../api/call.ts";
import { sendForText } from "../../api/send.ts";

/** The effect of one rule on one request; the fields that the dashboard asks for. */
export interface SecurityEvent {
  readonly action: string;
  readonly clientCountryName: string;
  readonly clientIP: string;
  readonly clientRequestHTTPHost: string;
  readonly clientRequestHTTPMethodName: string;
  readonly clientRequestHTTPProtocol: string;
  readonly clientRequestPath: string;
  readonly clientRequestQuery: string;
  readonly clientRequestScheme: string;
  readonly datetime: string;
  readonly matchIndex: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** The same for all events of a request. */
  readonly rayName: string;
  readonly ruleId: string;
  readonly ruleMessage: string;
  readonly rulesetId: string;
  /** The number of events that it stands for. */
  readonly sampleInterval: number;
  /** `firewallManaged` for the new version of the managed rules, `waf` for the previous one. */
  readonly source: string;
  readonly userAgent: string;
}

/** Method and address of the request, as one line. */
export function requestLine(event: SecurityEvent): string {
  const { clientRequestPath: path, clientRequestQuery: query } = event;
  const address = event.clientRequestHTTPHost + path + (query === "" ? "" : `?${query}`);
  return `${event.clientRequestHTTPMethodName} ${address}`;
}

/** The address of the request, as it was sent. */
export function requestUrl(event: SecurityEvent): string {
  const { clientRequestPath: path, clientRequestQuery: query } = event;
  const scheme = event.clientRequestScheme || "https";
  return `${scheme}://${event.clientRequestHTTPHost}${path}${query === "" ? "" : `?${query}`}`;
}

/** The query answers the newest ones up to this many. */
export const eventsMax = 1_000;

const newestQuery = `query SecurityEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
      firewallEventsAdaptive(filter: $filter, limit: ${eventsMax}, orderBy: [datetime_DESC]) {
        action clientCountryName clientIP clientRequestHTTPHost clientRequestHTTPMethodName
        clientRequestHTTPProtocol clientRequestPath clientRequestQuery clientRequestScheme datetime matchIndex
        metadata { key value } rayName ruleId ruleMessage rulesetId sampleInterval source userAgent
      }
    }
  }
}`;

/** The length of the stretches in which events are counted. */
export type CountPeriod = "datetimeMinute" | "datetimeHour" | "date";

/** The number of events of one action in a stretch of time. */
export interface EventCount {
  readonly count: number;
  readonly dimensions: { readonly action: string } & Partial<Readonly<Record<CountPeriod, string>>>;
}

interface EventCounts {
  readonly viewer: {
    readonly zones: readonly { readonly firewallEventsAdaptiveGroups: readonly EventCount[] }[];
  };
}

/** More than there can be: the minutes of an hour, the hours of a week or the days of a month, by action. */
const countsMax = 5_000;

const countsQuery = (
  period: CountPeriod,
) => `query SecurityEventCounts($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
      firewallEventsAdaptiveGroups(filter: $filter, limit: ${countsMax}) {
        count dimensions { action ${period} }
      }
    }
  }
}`;

/** All events of a zone that meet a filter, counted by action and time. */
export const countSecurityEvents = (
  zoneId: string,
  filter: EventFilter,
  period: CountPeriod,
): ApiCall<EventCounts> =>
  graphql(countsQuery(period), { zoneTag: zoneId, filter: withoutUndefined(filter) });

/** Fields by which events are ranked: for each, the number of events with the same value. */
const ranked = ["ruleId", "clientIP", "clientRequestPath", "clientCountryName"] as const;

export type Ranked = (typeof ranked)[number];

/** One value, and how many events have it. */
export interface RankedGroup {
  readonly count: number;
  readonly dimensions: Readonly<Partial<Record<Ranked | "ruleMessage", string>>>;
}

interface TopEvents {
  readonly viewer: {
    readonly zones: readonly Readonly<Record<Ranked, readonly RankedGroup[]>>[];
  };
}

const rankedMax = 5;

const topQuery = `query TopSecurityEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
${ranked
  .map(
    (
      name,
    ) => `      ${name}: firewallEventsAdaptiveGroups(filter: $filter, limit: ${rankedMax}, orderBy: [count_DESC]) {
        count dimensions { ${name}${name === "ruleId" ? " ruleMessage" : ""} }
      }`,
  )
  .join("\n")}
    }
  }
}`;

/** The rules, addresses, paths and countries with the most events, of all events of a zone that meet a filter. */
export const topSecurityEvents = (zoneId: string, filter: EventFilter): ApiCall<TopEvents> =>
  graphql(topQuery, { zoneTag: zoneId, filter: withoutUndefined(filter) });

/** The filter of events; undefined for a part that does not matter. */
export interface EventFilter {
  /** RFC 3339. */
  readonly datetime_geq: string;
  /** RFC 3339; up to now if left out. */
  readonly datetime_lt?: string | undefined;
  readonly action?: string | undefined;
  readonly source?: string | undefined;
  readonly clientIP?: string | undefined;
  readonly clientRequestHTTPHost?: string | undefined;
  readonly clientRequestPath?: string | undefined;
  readonly clientCountryName?: string | undefined;
  readonly ruleId?: string | undefined;
  readonly rayName?: string | undefined;
  readonly edgeColoName_neq?: string | undefined;
}

/** Requests that an edge served. Traced and replayed ones attack nobody. */
export const ofVisitors = { edgeColoName_neq: "" } as const satisfies Partial<EventFilter>;

/** Whether the request was judged as a test, and when it was recorded; undefined for one of a visitor. */
export function testOf({
  metadata,
}: SecurityEvent):
  | { readonly name: "Traced" | "Replayed"; readonly recordedOn: string | undefined }
  | undefined {
  const valueOf = (name: string): string | undefined => metadata.find(({ key }) => key === name)?.value;
  if (valueOf("traced") !== undefined) return { name: "Traced", recordedOn: undefined };
  if (valueOf("replayed") === undefined) return undefined;
  const recordedOn = valueOf("recorded_on") ?? "";
  // The file said so, whatever it is.
  return { name: "Replayed", recordedOn: Number.isNaN(Date.parse(recordedOn)) ? undefined : recordedOn };
}

interface SecurityEvents {
  readonly viewer: {
    readonly zones: readonly { readonly firewallEventsAdaptive: readonly SecurityEvent[] }[];
  };
}

export const listSecurityEvents = (zoneId: string, filter: EventFilter): ApiCall<SecurityEvents> =>
  graphql(newestQuery, {
    zoneTag: zoneId,
    filter: withoutUndefined(filter),
  });

function withoutUndefined(filter: EventFilter): object {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** A GraphQL query as a call of the API. */
function graphql<Data>(query: string, variables: Readonly<Record<string, unknown>>): ApiCall<Data> {
  return call("queryGraphql", {}, { query, variables }) as ApiCall<Data>;
}

/** Data or errors, never both. */
interface GraphqlAnswer<Data> {
  readonly data: Data | null;
  readonly errors:
    | readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
    | null;
}

/** The answer to a GraphQL query; also fails with `ApiError` for errors in the answer. */
export function useGraphql<Data>(request: ApiCall<Data>): UseQueryResult<Data, ApiError> {
  return useQuery<Data, ApiError>({
    queryKey: ["api", request.path, request.body],
    queryFn: async ({ signal }) => {
      const { data, errors } = JSON.parse(await sendForText(request, signal)) as GraphqlAnswer<Data>;
      if (data !== null) return data;
      throw new ApiError(
        200,
        (errors ?? []).map(({ message, extensions }) => ({
          code: 0,
          message: extensions?.code === undefined ? message : `${message} (${extensions.code})`,
        })),
      );
    },
    placeholderData: keepPreviousData,
  });
}
