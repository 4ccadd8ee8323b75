import { accountRead, type AccountRead } from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import { findEdges } from "./edges.ts";
import { Edges } from "./schema.ts";

export interface EdgesContext extends Context {
  /** Addresses and ranges in CIDR notation that origins may have besides public ones. */
  readonly originNetworks: readonly string[];
}

/** Edges serve the zones of all accounts: each account is told of all of them. */
export const getEdges = accountRead({
  name: "getEdges",
  summary: "Tell which edges run, how old what they serve is, and which addresses origins may have",
  path: "/accounts/{account_id}/edges",
  permission: ["Account Settings Read", "Account Settings Write"],
  result: Edges,
  run: async ({ db, now, context }: AccountRead<EdgesContext>) => ({
    edges: await findEdges(db, now),
    origin_networks: [...context.originNetworks],
  }),
});
