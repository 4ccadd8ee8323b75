/** Texts of each kind of token. */
const texts: Readonly<Record<string, readonly string[]>> = {
  "1": ["1", "0x41", "1.5", "true"],
  s: ["'a'", '"a"', "'b'", "'"],
  n: ["a", "foo", "[x]", "`x`", "in", "`"],
  v: ["@a", "@@version", "null", "@`x`", "current date", "localtime"],
  f: ["sleep", "abs", "char", "user_id", "if exists", "like", "not like"],
  t: ["int", "varchar", "_utf8"],
  k: ["from", "where", "into", "in", "values", "into outfile", "left join", "not in"],
  E: ["select", "update", "case", "waitfor delay"],
  T: ["drop", "exec", "insert into"],
  U: ["union", "except", "union all"],
  B: ["having", "group by", "limit"],
  A: ["collate"],
  o: ["=", "+", "-", "like", "*", "::", "!", "not", "is", "<>", "between", "not like", "div"],
  "&": ["and", "||", "&&", "or", "xor"],
  c: ["/*x*/", "-- x\n", "#x\n"],
  X: ["/*!x*/"],
  "?": ["?", "]"],
  "(": ["("], ")": [")"], "{": ["{"], "}": ["}"], ",": [","], ";": [";"], ".": ["."], ":": [":"], "\\": ["\\"],
}; // prettier-ignore

export const kinds: readonly string[] = Object.keys(texts);

/** Texts before a string that the value closes. */
const openings = ["", "'", "x' ", '"', 'x" '];
const comments = ["--", "#", "-- ", "/*", "--x", "/*x*/"];

/**
 * A value whose tokens are of these kinds, one letter each; what is chosen among texts comes from `random`, from 0 to
 * 1.
 */
export function valueOf(sequence: string, random: () => number): string {
  const choose = <Choice>(choices: readonly Choice[]) =>
    choices[Math.floor(random() * choices.length)] as Choice;
  let [value, rest] = ["", sequence];
  if (rest.startsWith("s") && random() < 0.7) {
    value = choose(openings);
    if (value !== "") rest = rest.slice(1);
  }
  const comment = rest.endsWith("c") ? choose(comments) : "";
  if (comment !== "") rest = rest.slice(0, -1);
  for (const kind of rest) value += choose(texts[kind] ?? []) + (random() < 0.8 ? " " : "");
  return (comment === "" && random() < 0.5 ? value.trimEnd() : value) + comment;
}

/** Every sequence of so many kinds. */
export function* sequencesOf(length: number): Generator<string> {
  if (length === 0) yield "";
  else for (const rest of sequencesOf(length - 1)) for (const kind of kinds) yield kind + rest;
}
