import { listed } from "../core/policy/permission.ts";
import type { Context } from "./context.ts";
import { lists, reads, type ReadWork, type ScopeKind } from "./scoped.ts";

/** What a read gets that answers everything which the caller may see. */
export type CollectionRead<Needs extends Context = Context> = ReadWork<object, Needs>;

const ofNothing: ScopeKind<object, "listed"> = {
  permission: () => listed,
  ofRequest: () => ({}),
  lock: async () => ({}),
  owner: () => undefined,
};

/** A read that any caller may make, and that leaves out what the caller may not see. */
export const collectionRead = reads(ofNothing);
/** The same as a paginated list. */
export const collectionList = lists(ofNothing);
