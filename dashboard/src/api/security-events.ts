import type { ApiCall } from "./call.ts";
import { graphql } from "./graphql.ts";

/** What one rule made of one request; the fields that the dashboard asks for. */
export interface SecurityEvent {
  readonly action: string;
  readonly clientCountryName: string;
  readonly clientIP: string;
  readonly clientRequestHTTPHost: string;
  readonly clientRequestHTTPMethodName: string;
  readonly clientRequestHTTPProtocol: string;
  readonly clientRequestPath: string;
  readonly clientRequestQuery: string;
  readonly datetime: string;
  readonly matchIndex: number;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  /** The same for all events of a request. */
  readonly rayName: string;
  readonly ruleId: string;
  readonly ruleMessage: string;
  readonly rulesetId: string;
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

/** The query answers the newest ones up to this many. */
export const eventsMax = 1_000;

const query = `query SecurityEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
      firewallEventsAdaptive(filter: $filter, limit: ${eventsMax}, orderBy: [datetime_DESC]) {
        action clientCountryName clientIP clientRequestHTTPHost clientRequestHTTPMethodName
        clientRequestHTTPProtocol clientRequestPath clientRequestQuery datetime matchIndex
        metadata { key value } rayName ruleId ruleMessage rulesetId source userAgent
      }
    }
  }
}`;

/** What events have to meet; undefined for what does not matter. */
export interface EventFilter {
  /** RFC 3339. */
  readonly datetime_geq: string;
  readonly action?: string | undefined;
  readonly source?: string | undefined;
  readonly clientIP?: string | undefined;
  readonly clientRequestHTTPHost?: string | undefined;
  readonly ruleId?: string | undefined;
  readonly rayName?: string | undefined;
}

interface SecurityEvents {
  readonly viewer: {
    readonly zones: readonly { readonly firewallEventsAdaptive: readonly SecurityEvent[] }[];
  };
}

/** The newest security events of a zone. */
export const listSecurityEvents = (zoneId: string, filter: EventFilter): ApiCall<SecurityEvents> =>
  graphql(query, {
    zoneTag: zoneId,
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  });
