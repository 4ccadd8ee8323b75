import type { Token, TokenKind } from "./token.ts";
import { kindOfWords, mayContinue } from "./words.ts";

/** How many tokens of a folded value are judged. */
export const foldedMax = 5;

const unary = new Set(["+", "-", "!", "~", "!!", "not", "@"]);

/** Names that are functions where a parenthesis follows. */
const calledNames = new Set([
  "user_id", "user_name", "database", "password", "user", "current_user", "current_date", "current_time",
  "current_timestamp", "localtime", "localtimestamp", "system_user", "session_user",
]); // prettier-ignore

/**
 * Reduces tokens to the few that tell an attack: signs before numbers, sums, lists and comments in between say nothing.
 * Reads no more tokens than it needs.
 */
export function fold(tokens: readonly Token[]): Token[] {
  const folded: Token[] = [];
  let comment: Token | undefined;
  let isAtStart = true;
  for (const token of tokens) {
    if (token.kind === "c") {
      comment = token;
      continue;
    }
    if (isAtStart && isSilentStart(token)) continue;
    isAtStart = false;
    comment = undefined;
    folded.push(token);
    while (reduce(folded));
    // Two more than are kept, as the last ones may still be reduced.
    if (folded.length > foldedMax + 2) break;
  }
  const kept = folded.slice(0, foldedMax);
  if (comment !== undefined && kept.length < foldedMax) kept.push(comment);
  return kept;
}

function isSilentStart(token: Token): boolean {
  return token.kind === "(" || token.kind === "t" || isUnary(token);
}

function isUnary({ kind, text }: Token): boolean {
  return kind === "o" && unary.has(text.toLowerCase());
}

const isOne = (kinds: string, token: Token): boolean => kinds.includes(token.kind);

/** Applies the first rule that fits the last tokens. */
function reduce(tokens: Token[]): boolean {
  return reducePair(tokens) || reduceTriple(tokens);
}

function reducePair(tokens: Token[]): boolean {
  const [first, second] = tokens.slice(-2);
  if (first === undefined || second === undefined) return false;
  const replaceBoth = (...by: Token[]): boolean => {
    tokens.splice(-2, 2, ...by);
    return true;
  };
  const joined = joinWords(first, second);
  if (joined !== undefined) return replaceBoth(joined);
  if (first.kind === "s" && second.kind === "s") return replaceBoth(first);
  if (isOne("();", first) && first.kind === second.kind) return replaceBoth(first);
  if (isOne("o&(", first) && (isUnary(second) || (second.kind === "t" && first.kind !== "("))) {
    return replaceBoth(first);
  }
  if (first.kind === "t" && isOne("n1t(fvs", second)) return replaceBoth(second);
  if (second.kind === "(" && calledNames.has(first.text.toLowerCase()) && isOne("nv1", first)) {
    return replaceBoth({ ...first, kind: "f" }, second);
  }
  if (first.kind === ";" && second.text.toLowerCase() === "if") {
    if (second.kind === "T") return false;
    return replaceBoth(first, { ...second, kind: "T" });
  }
  if (first.kind === "k" && /^(?:not )?in$/i.test(first.text)) {
    return replaceBoth({ ...first, kind: second.kind === "(" ? "o" : "n" }, second);
  }
  if (first.kind === "A" && second.kind === "n") return replaceBoth({ ...second, kind: "t" });
  if (first.kind === "\\") return replaceBoth(isOne("o", second) ? { ...first, kind: "1" } : second);
  if (first.kind === "{" && second.kind === "n") {
    tokens.splice(-2, 2);
    return true;
  }
  if (second.kind === "}") return replaceBoth(first);
  return false;
}

/** `group` and `by` are one; undefined where no words of the language join. */
function joinWords(first: Token, second: Token): Token | undefined {
  if (!isOne("kUBEoATf&ntv", first) || !isOne("kUBEoATf&ntv", second)) return undefined;
  const begun = first.text.toLowerCase();
  if (!mayContinue(begun)) return undefined;
  const words = `${begun} ${second.text.toLowerCase()}`;
  const kind = kindOfWords(words) ?? (mayContinue(words) ? first.kind : undefined);
  return kind === undefined ? undefined : { kind, text: words };
}

function reduceTriple(tokens: Token[]): boolean {
  const [first, second, third] = tokens.slice(-3);
  if (first === undefined || second === undefined || third === undefined) return false;
  const replaceAll = (...by: Token[]): boolean => {
    tokens.splice(-3, 3, ...by);
    return true;
  };
  const shape = (a: string, b: string, c: string): boolean =>
    isOne(a, first) && isOne(b, second) && isOne(c, third);
  if (shape("1", "o", "1") || shape("v", "o", "v1n") || shape("n1", "o", "n1")) return replaceAll(first);
  if (first.kind === "o" && second.kind !== "(" && third.kind === "o") return replaceAll(first);
  if (first.kind === "&" && second.kind !== "(" && third.kind === "&") return replaceAll(first);
  if (shape("n1sv", "o", "t") && second.text === "::") return replaceAll(first);
  if (shape("n1sv", ",", "n1sv")) return replaceAll(first);
  if (shape("kEB,", "o", "n1svf(") && isUnary(second)) return replaceAll(first, third);
  if (shape("nE", ".", "n")) return replaceAll({ ...first, kind: "n" });
  if (
    first.kind === "f" &&
    second.kind === "(" &&
    calledNames.has(first.text.toLowerCase()) &&
    third.kind !== ")"
  ) {
    return replaceAll({ ...first, kind: "n" satisfies TokenKind }, second, third);
  }
  return false;
}
