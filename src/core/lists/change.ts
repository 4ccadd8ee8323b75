import type { Plan } from "../expression/phases.ts";
import type { ListedItem } from "./items.ts";

export type ListChange =
  | {
      /** `replace` removes the previous items. */
      readonly kind: "append" | "replace";
      readonly items: readonly ListedItem[];
      /** The plan whose limits apply to the account. */
      readonly plan: Plan;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

export function sizeOf(change: ListChange): number {
  return change.kind === "remove" ? change.ids.length : change.items.length;
}
