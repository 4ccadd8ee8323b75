import type { Plan } from "../expression/phases.ts";
import type { ListedItem } from "./items.ts";

/** What becomes of the items of a list, as one change. */
export type ListChange =
  | {
      /** `replace` takes away what was there before. */
      readonly kind: "append" | "replace";
      readonly items: readonly ListedItem[];
      /** The one that bounds the account. */
      readonly plan: Plan;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

export function sizeOf(change: ListChange): number {
  return change.kind === "remove" ? change.ids.length : change.items.length;
}
