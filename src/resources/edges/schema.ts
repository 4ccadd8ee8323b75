import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

const Time = Type.String({ format: "date-time" });
const Addresses = Type.Array(Type.String({ description: "Address and port." }));

export const RunningEdge = Type.Object({
  id: Type.String({ description: "New with each start of the process." }),
  host: Type.String({ description: "Name of the machine." }),
  status: OneOf(["running", "silent"], {
    description:
      "`silent` when it has not been heard of for 30 seconds: it has ended, or cannot reach the database.",
  }),
  version: Type.String({ description: "Of Zoneward." }),
  http: Addresses,
  https: Addresses,
  judge: Addresses,
  zones: Type.Integer({ description: "How many zones it serves." }),
  started_on: Time,
  seen_on: Time,
  configuration_as_of: Nullable(
    Type.String({
      format: "date-time",
      description: "Of when what it serves surely is; null while it is what the API says.",
    }),
  ),
});
export type RunningEdge = Static<typeof RunningEdge>;

export const Edges = Type.Object({
  edges: Type.Array(RunningEdge),
  origin_networks: Type.Array(
    Type.String({
      description: "Addresses and ranges that origins may have besides public ones: `edge_origin_networks`.",
    }),
  ),
});
export type Edges = Static<typeof Edges>;
