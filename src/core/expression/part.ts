import type { Access, Comparison, Quantifier } from "./ast.ts";
import type { Part } from "./context.ts";
import { costOf, isOfBody } from "./cost.ts";
import { listsOf } from "./named-lists.ts";
import { printAccess, printExpression } from "./print.ts";
import { slotOf } from "./scheme.ts";

/** Units for each octet below which a part is evaluated in place, whatever it reads. */
const unitsMin = 0.2;

/** The part that a node is; undefined if it takes little, whatever it reads. */
export function partOf(node: Comparison | Quantifier | Access): Part | undefined {
  const cost = costOf(node);
  let bodyUnits = 0;
  let most = 0;
  const reads: { slot: number; units: number }[] = [];
  for (const [field, units] of cost) {
    most = Math.max(most, units);
    if (isOfBody(field)) bodyUnits += units;
    else reads.push({ slot: slotOf(field), units });
  }
  if (most < unitsMin) return undefined;
  const isValue = node.kind === "access";
  return {
    kind: isValue ? "value" : "filter",
    text: isValue ? printAccess(node) : printExpression(node),
    reads,
    bodyUnits,
    namesLists: !isValue && listsOf(node).length > 0,
  };
}
