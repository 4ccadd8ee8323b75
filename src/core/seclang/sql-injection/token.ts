/**
 * The kind of a token, as libinjection names it: `1` number, `s` string, `n` name, `v` variable, `f`
 * function, `t` type, `k` keyword, `E` statement, `T` statement of SQL Server, `B` clause such as `group by`,
 * `U` `union`, `A` `collate`, `o` operator, `&` logical operator, `c` comment, `X` a token that only attacks
 * contain, `?` unknown. Signs stand for themselves.
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
