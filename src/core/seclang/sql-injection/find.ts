import { fold, shapeOf } from "./fold.ts";
import { isAttack } from "./shapes.ts";
import { Tokens, type Context, type Dialect } from "./tokens.ts";

/** One token alone is no attack. */
const isOneWord = /^\w*$/;

/**
 * Whether a value, put into a statement of SQL, changes what the statement does. The method is that of libinjection
 * (Nick Galbreath, 2012): the value is split as if it stood outside of a string and within one, folded to a few tokens,
 * and judged by their kinds. Returns these kinds as one letter each.
 */
export function findSqlInjection(value: string): string | undefined {
  if (isOneWord.test(value)) return undefined;
  return (
    shapeIn(value, "") ??
    (value.includes("'") ? shapeIn(value, "'") : undefined) ??
    (value.includes('"') ? judge(value, '"', "mysql").shape : undefined)
  );
}

function shapeIn(value: string, context: Context): string | undefined {
  const { shape, differs } = judge(value, context, "ansi");
  return shape ?? (differs ? judge(value, context, "mysql").shape : undefined);
}

function judge(value: string, context: Context, dialect: Dialect) {
  const tokens = new Tokens(value, context, dialect);
  const folded = fold(tokens);
  const shape = shapeOf(folded);
  return {
    shape: isAttack(value, folded, shape, tokens.count) ? shape : undefined,
    differs: tokens.differs,
  };
}
