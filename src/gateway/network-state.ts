import type { NetworkActivity } from "./activity.ts";
import type { NetworkSettings } from "./networks.ts";

/** How a network stands, as the API answers it: nothing of its upstreams but names and numbers. */
export interface NetworkState {
  readonly name: string;
  readonly chain_id: number;
  /** Where its calls are sent, below the origin. */
  readonly path: string;
  /** `deprecated` ends on `deprecated_on`; `retired` has ended; `unconfigured` has no upstreams. */
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

/** A network as `GET /gateway/networks` answers it. */
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
