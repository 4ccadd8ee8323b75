import { Type, type Static } from "@sinclair/typebox";

const Count = Type.Integer({ minimum: 0 });

const GatewayUpstream = Type.Object({
  name: Type.String({ description: "Its name in the settings; never its URL, which may hold a secret." }),
  usable: Type.Union([Type.Boolean(), Type.Null()], {
    description: "Whether it is preferred for calls; null until it was checked.",
  }),
  block: Type.Union([Type.Integer(), Type.Null()], { description: "Its newest block, if known." }),
  requests: Count,
  failed: Count,
});

/** A network of the JSON-RPC gateway, and what it did since the process started. */
export const GatewayNetwork = Type.Object({
  name: Type.String(),
  chain_id: Type.Integer(),
  path: Type.String({ description: "Where its calls are sent, below the origin." }),
  status: Type.Union(
    [
      Type.Literal("active"),
      Type.Literal("deprecated"),
      Type.Literal("retired"),
      Type.Literal("unconfigured"),
    ],
    {
      description:
        "`deprecated`: it ends on `deprecated_on`. `retired`: it has ended. `unconfigured`: it has no upstreams.",
    },
  ),
  source: Type.Union([Type.Literal("upstreams"), Type.Literal("development_chain"), Type.Literal("none")]),
  deprecated_on: Type.Union([Type.String({ format: "date" }), Type.Null()]),
  successor: Type.Union([Type.String(), Type.Null()]),
  calls: Type.Object({
    total: Count,
    failed: Count,
    cached: Count,
    per_minute: Type.Array(Count, {
      description: "For each of the last 60 minutes, the oldest first; the last one is the current minute.",
    }),
  }),
  upstreams: Type.Array(GatewayUpstream),
});
export type GatewayNetwork = Static<typeof GatewayNetwork>;
