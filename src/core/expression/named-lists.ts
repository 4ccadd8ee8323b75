import { comparisonsIn, type Access, type Expression } from "./ast.ts";
import { ExpressionError } from "./expression-error.ts";
import { storedLimits, type ExpressionLimits } from "./limits.ts";
import { parseExpression, parseValueExpression } from "./parse.ts";
import type { ScalarType } from "./value-type.ts";

/** A list that an expression names, and the type of what it looks for in the list. */
export interface NamedList {
  /** The name without the `$`. */
  readonly name: string;
  readonly type: ScalarType;
}

/** The lists that a text names, as a filter or as a value expression; none if it is neither. */
export function listsNamedIn(source: string, limits?: ExpressionLimits): readonly NamedList[] {
  // Most texts name none, and need not be parsed to know it.
  if (!source.includes("$")) return [];
  const options = { limits: limits ?? storedLimits };
  const filter = parsed(() => parseExpression(source, options));
  if (filter !== undefined) return listsOf(filter);
  const access = parsed(() => parseValueExpression(source, options));
  return access === undefined ? [] : listsOfAccess(access);
}

function parsed<Tree>(parse: () => Tree): Tree | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

export function listsOf(expression: Expression): readonly NamedList[] {
  return comparisonsIn(expression).flatMap(({ left, test }) => {
    const own = test.kind === "in list" ? [{ name: test.list, type: test.type }] : [];
    return listsOfAccess(left).concat(own);
  });
}

function listsOfAccess({ base }: Access): readonly NamedList[] {
  if (base.kind === "field") return [];
  return base.args.flatMap((argument) => {
    if (argument.kind === "access") return listsOfAccess(argument.access);
    return argument.kind === "condition" ? listsOf(argument.expression) : [];
  });
}
