import { listed } from "../core/policy/permission.ts";
import { lists, type ScopeKind } from "./scoped.ts";

const ofNothing: ScopeKind<object, "listed"> = {
  permission: () => listed,
  ofRequest: () => ({}),
  lock: async () => ({}),
  owner: () => undefined,
};

/** A list that leaves out what the caller may not see. */
export const collectionList = lists(ofNothing);
