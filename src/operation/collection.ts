import { listed } from "../core/policy/permission.ts";
import type { Context } from "./context.ts";
import { lists, type ReadWork, type ScopeKind } from "./scoped.ts";

/** What a list of everything that the caller may see gets. */
export type CollectionRead<Needs extends Context = Context> = ReadWork<object, Needs>;

const ofNothing: ScopeKind<object, "listed"> = {
  permission: () => listed,
  ofRequest: () => ({}),
  lock: async () => ({}),
  owner: () => undefined,
};

/** A list that leaves out what the caller may not see. */
export const collectionList = lists(ofNothing);
