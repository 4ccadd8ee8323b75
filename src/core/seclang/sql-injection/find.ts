import { fold, shapeOf } from "./fold.ts";
import { isAttack, type Reading } from "./shapes.ts";
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
  for (const reading of readingsOf(value)) if (isAttack(value, reading)) return reading.shape;
  return undefined;
}

export function* readingsOf(value: string): Generator<Reading> {
  yield* readIn(value, "");
  if (value.includes("'")) yield* readIn(value, "'");
  if (value.includes('"')) yield read(value, '"', "mysql").reading;
}

function* readIn(value: string, context: Context): Generator<Reading> {
  const { reading, differs } = read(value, context, "ansi");
  yield reading;
  if (differs) yield read(value, context, "mysql").reading;
}

function read(value: string, context: Context, dialect: Dialect): { reading: Reading; differs: boolean } {
  const tokens = new Tokens(value, context, dialect);
  const folded = fold(tokens);
  return { reading: { folded, shape: shapeOf(folded), count: tokens.count }, differs: tokens.differs };
}
