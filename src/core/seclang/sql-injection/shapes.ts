import type { Token } from "./token.ts";

/** What attacks look like once they are folded, by what they do. */
const attacks: readonly RegExp[] = [
  // What only attacks contain.
  /X/,
  // Calls a function.
  /f\([1svfE(]/,
  /[&o,(]f\(/,
  // Goes on with another condition.
  /^[1snv]\)?&(?:\(|E|f)/,
  /^[1sv]\)?&[1sv](?:$|[o&UB;),c])/,
  /^[sv]\)?&n(?:$|[o&UB;),.c])/,
  /^n&[1v](?:$|[o&UB;)c])/,
  // Compares with what a string or a number before it leaves open.
  /^(?:sos|1vs|s1v|1ov|sov|vos)$/,
  /^[sv]o[1sn][&UBc]/,
  /^[1sv]o\(E/,
  /^sosc?$/,
  // Joins another query.
  /^[1snv]\)?U(?:E|\(E|c|$)/,
  /^[1sv]\)?&[1snv]\)?U/,
  /^UE(?:[1sv(f]|k[1sv])/,
  // Ends the statement, and begins another one.
  /^[1snv]\)?;(?:T[ns1v(fk]|Es)/,
  // Leaves out the rest of the statement.
  /^[1sv]\)?c$/,
  /^nc$/,
  /^[1sv]\)?[&okB].*[1snv)]c$/,
  // Orders, groups or limits.
  /^[1sv]\)?B[1snv](?:$|[c,oB&U])/,
  /^nB[1sv](?:$|[c,&U])/,
  // Is a query by itself.
  /^Enkn[kBU&c]/,
  /^Eoknk/,
  /^Ek1k/,
  /^E1[kUB]/,
  /^Es[&oU]/,
  /^E\([fEs1]/,
  // Follows a string that it closed.
  /^[sn1]\)?E(?:s|\()/,
  /^s[(]?[ET](?:s|\()/,
  // Writes what was found to a file.
  /^[1snv]ks(?:$|[c;])/,
];

/**
 * Whether folded tokens are those of an attack. `count` is how many tokens there were: a few shapes are those of plain
 * text too, unless more was folded into them.
 */
export function isAttack(folded: readonly Token[], count: number): boolean {
  const shape = folded.map(({ kind }) => kind).join("");
  if (!attacks.some((attack) => attack.test(shape))) return false;
  const [first, second, third] = folded;
  if (second?.kind === "c" && third === undefined) return isCutOff(first, second, count);
  if (shape === "sos" || shape === "s&s") return isAcrossQuotes(first, third);
  if (/^.&.$/.test(shape)) return count > 3 || first?.quotes?.opened === "";
  if (/^.U$/.test(shape)) return count > 2;
  return true;
}

/** Whether a comment after a single token hides the rest of a statement. */
function isCutOff(first: Token | undefined, comment: Token, count: number): boolean {
  if (comment.text.startsWith("#")) return first?.kind === "s" && first.quotes?.opened !== "'";
  if (first?.kind === "n") return comment.text.startsWith("/");
  return (
    count > 2 || comment.text.startsWith("/") || /^--(?:\s|-|$)/.test(comment.text) || first?.kind !== "1"
  );
}

/** Whether the first string began, and the last one ends, outside of the value. */
function isAcrossQuotes(first: Token | undefined, last: Token | undefined): boolean {
  return (
    first?.quotes?.opened === "" && last?.quotes?.closed === "" && first.quotes.closed === last.quotes.opened
  );
}
