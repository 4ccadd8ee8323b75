import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

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

/** A network of the JSON-RPC gateway, with counts since the start of the process. */
export const GatewayNetwork = Type.Object({
  name: Type.String(),
  chain_id: Type.Integer(),
  path: Type.String({ description: "Where its calls are sent, below the origin." }),
  status: OneOf(["active", "deprecated", "retired", "unconfigured"], {
    description:
      "`deprecated`: it ends on `deprecated_on`. `retired`: it has ended. `unconfigured`: it has no upstreams.",
  }),
  source: OneOf(["upstreams", "development_chain", "none"]),
  deprecated_on: Nullable(Type.String({ format: "date" })),
  successor: Nullable(Type.String()),
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
