import type { Edges, RunningEdge } from "../../../src/resources/edges/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { Edges, RunningEdge };

/** Those of the whole installation, which any of its accounts is told of. */
export const edgesOf = (accountId: string): ApiCall<Edges> => ({
  method: "GET",
  path: path`/accounts/${accountId}/edges`,
});
