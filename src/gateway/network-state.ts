import type { NetworkActivity } from "./activity.ts";
import type { NetworkSettings } from "./networks.ts";

/** The state of a network in the API. Of upstreams it holds no URL and no header, which may be secret. */
export interface NetworkState {
  readonly name: string;
  readonly chain_id: number;
  /** The path of its endpoint. */
  readonly path: string;
  /** `deprecated`: it ends on `deprecated_on`; `retired`: it has ended; `unconfigured`: it has no upstreams. */
  readonly status: "active" | "deprecated" | "retired" | "unconfigured";
  readonly source: "upstreams" | "development_chain" | "none";
  readonly deprecated_on: string | null;
  readonly successor: string | null;
  readonly calls: {
    readonly total: number;
    readonly failed: number;
    readonly cached: number;
    readonly per_minute: number[];
  };
  readonly upstreams: {
    readonly name: string;
    readonly usable: boolean | null;
    readonly block: number | null;
    readonly requests: number;
    readonly failed: number;
  }[];
}

interface NetworkFacts {
  readonly path: string;
  readonly source: NetworkState["source"];
  readonly isRetired: boolean;
  readonly activity: NetworkActivity;
}

/** The state of a network for `GET /gateway/networks`. */
export function toNetworkState(settings: NetworkSettings, facts: NetworkFacts): NetworkState {
  const { path, source, activity } = facts;
  const { calls, failed, cached, callsPerMinute } = activity;
  return {
    name: settings.name,
    chain_id: settings.chainId,
    path,
    status: statusOf(settings, facts),
    source,
    deprecated_on: settings.deprecatedOn ?? null,
    successor: settings.successor ?? null,
    calls: { total: calls, failed, cached, per_minute: [...callsPerMinute] },
    upstreams: settings.upstreams.map(({ name }) => {
      const known = activity.upstreams.get(name);
      return {
        name,
        usable: known?.isUsable ?? null,
        block: known?.block ?? null,
        requests: known?.requests ?? 0,
        failed: known?.failed ?? 0,
      };
    }),
  };
}

function statusOf(
  { deprecatedOn }: NetworkSettings,
  { source, isRetired }: NetworkFacts,
): NetworkState["status"] {
  if (isRetired) return "retired";
  if (source === "none") return "unconfigured";
  return deprecatedOn === undefined ? "active" : "deprecated";
}
