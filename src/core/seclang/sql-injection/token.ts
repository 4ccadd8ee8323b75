/**
 * What a piece of SQL is, as one letter: a number `1`, a string `s`, a name `n`, a variable `v`, a function `f`, a type `t`,
 * a keyword `k`, a statement `E`, one that servers of Microsoft know `T`, a clause like `group by` `B`, `union` `U`,
 * `collate` `A`, an operator `o`, a logical one `&`, a comment `c`, what only attacks contain `X`, what is unknown `?`; signs
 * stand for themselves.
 */
export type TokenKind =
  | "1" | "s" | "n" | "v" | "f" | "t" | "k" | "E" | "T" | "B" | "U" | "A" | "o" | "&" | "c" | "X" | "?"
  | "(" | ")" | "{" | "}" | "," | ";" | "." | ":" | "\\"; // prettier-ignore

/** The quote around a string; empty on the side where it continues outside of the value. */
export type Quote = "" | "'" | '"' | "`" | "$" | "q";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly quotes?: { readonly opened: Quote; readonly closed: Quote };
}
