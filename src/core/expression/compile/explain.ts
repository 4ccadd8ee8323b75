import { comparisonsIn, type Expression, type Logical } from "../ast.ts";
import { compileAccess, type Compiler } from "./compile-access.ts";
import type { RequestContext, Value } from "../context.ts";
import type { Span } from "../expression-error.ts";
import { printAccess, printExpression } from "../print.ts";

export interface Explanation {
  readonly value: boolean;
  /** The comparisons that decided, in the order of the text: other results could change the value. */
  readonly decidedBy: readonly Decision[];
}

/** A comparison, a quantifier or a constant. */
export interface Decision {
  readonly text: string;
  readonly span: Span;
  readonly value: boolean;
  /** The compared values, by their text; undefined for missing ones. */
  readonly looked: readonly { readonly at: string; readonly found: Value | undefined }[];
}

interface Explaining {
  readonly context: RequestContext;
  readonly compiler: Compiler;
  readonly compilePredicate: (
    compiler: Compiler,
    expression: Expression,
  ) => (context: RequestContext) => boolean;
}

/** Evaluates an expression step by step: slower than compiled, with the same result. */
export function explain(expression: Expression, explaining: Explaining): Explanation {
  switch (expression.kind) {
    case "group":
      return explain(expression.operand, explaining);
    case "not": {
      const { value, decidedBy } = explain(expression.operand, explaining);
      return { value: !value, decidedBy };
    }
    case "logical":
      return explainLogical(expression, explaining);
    case "constant":
    case "quantifier":
    case "comparison":
      return explainLeaf(expression, explaining);
  }
}

function explainLogical({ operator, operands }: Logical, explaining: Explaining): Explanation {
  const explanations: Explanation[] = [];
  for (const operand of operands) {
    const explanation = explain(operand, explaining);
    // An operand that ends an `or` or `and` decides alone.
    if (operator !== "xor" && explanation.value === (operator === "or")) return explanation;
    explanations.push(explanation);
  }
  const trueCount = explanations.filter(({ value }) => value).length;
  return {
    value: operator === "xor" ? trueCount % 2 === 1 : operator === "and",
    decidedBy: explanations.flatMap(({ decidedBy }) => decidedBy),
  };
}

function explainLeaf(
  expression: Expression,
  { context, compiler, compilePredicate }: Explaining,
): Explanation {
  const value = compilePredicate(compiler, expression)(context);
  const looked = comparisonsIn(expression).map(({ left }) => ({
    at: printAccess(left),
    found: compileAccess(compiler, left)(context),
  }));
  const decision = { text: printExpression(expression), span: expression.span, value, looked };
  return { value, decidedBy: [decision] };
}
