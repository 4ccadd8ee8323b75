import type { NetworkActivity } from "./activity.ts";
import type { NetworkSettings } from "./networks.ts";

interface NetworkFacts {
  readonly path: string;
  readonly source: "upstreams" | "development_chain" | "none";
  readonly isRetired: boolean;
  readonly activity: NetworkActivity;
}

export type NetworkState = ReturnType<typeof toNetworkState>;

/** A network in `GET /gateway/networks`, without the URLs and headers of upstreams, which may be secret. */
export function toNetworkState(settings: NetworkSettings, facts: NetworkFacts) {
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
): "active" | "deprecated" | "retired" | "unconfigured" {
  if (isRetired) return "retired";
  if (source === "none") return "unconfigured";
  return deprecatedOn === undefined ? "active" : "deprecated";
}
