import { fold, shapeOf } from "./fold.ts";
import { Tokens, type Context, type Dialect } from "./tokens.ts";
import { isAttackShape } from "./attack-shapes.ts";
import type { Token } from "./words.ts";

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

interface Reading {
  readonly folded: readonly Token[];
  readonly shape: string;
  readonly count: number;
}

/** Shapes that ordinary sentences have too, unless more tokens were folded into them. */
const plainShapes: ReadonlySet<string> = new Set(["s&n", "n&1", "1&1", "1&v", "1&s"]);

function isAttack(value: string, { folded, shape, count }: Reading): boolean {
  // Only attacks contain such a token.
  if (shape.includes("X")) return true;
  if (!isAttackShape(shape)) return false;
  const [first, second, third] = folded;
  if (first === undefined || second === undefined) return true;
  if (shape.length === 2) {
    if (second.kind === "U") return count > 2;
    return second.kind !== "c" || isCutOff(value, first, second.text, count);
  }
  if (third === undefined || shape.length > 3) return true;
  if (shape === "sos" || shape === "s&s") return isAcrossQuotes(first, third);
  if (plainShapes.has(shape)) return count > 3;
  return second.kind !== "k" || /^into./i.test(second.text);
}

/** Whether a comment after a single token hides the rest of a statement. */
function isCutOff(value: string, { kind, text }: Token, comment: string, count: number): boolean {
  if (comment.startsWith("#")) return false;
  if (comment.startsWith("/")) return true;
  if (kind === "n") return false;
  // Folding hides what follows the number.
  if (kind === "1" && count <= 2 && !/^(?:[\0- ]|\/\*|--)/.test(value.slice(text.length))) return false;
  return kind === "1" || comment === "--";
}

/** Whether the first string began, and the last one ends, outside of the value. */
function isAcrossQuotes({ quotes: first }: Token, { quotes: last }: Token): boolean {
  return first?.opened === "" && last?.closed === "" && first.closed === last.opened;
}
