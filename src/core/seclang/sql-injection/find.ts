import { fold, shapeOf } from "./fold.ts";
import { isAttack } from "./shapes.ts";
import { Tokens, type Context, type Dialect } from "./tokens.ts";

/** A value of one token is no attack. */
const isOneWord = /^\w*$/;

/**
 * Whether a value, inserted into an SQL statement, changes what the statement does. The method is that of
 * libinjection (Nick Galbreath, 2012): the value is tokenized as if it were outside of a string and inside
 * one, folded to a few tokens, and classified by their kinds. Returns these kinds, one letter each.
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
