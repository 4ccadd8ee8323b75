const escape = /\\(?:(\d{3})|(.))/gsu;
const nameCharacter = /^[A-Za-z0-9_*-]$/;

/**
 * A name of a zone file as an absolute name, not yet validated: `@` is the origin, and a name without final
 * dot is relative to it. `origin` has no final dot; the root is an empty text. Escapes are resolved where
 * they stand for a character that names may have (`\042` is `*`), and stay where they do not.
 */
export function absoluteName(token: string, origin: string): string {
  if (token === "@") return origin === "" ? "." : origin;
  const name = token.includes("\\") ? token.replace(escape, unescape) : token;
  return name.endsWith(".") || origin === "" ? name : `${name}.${origin}`;
}

function unescape(whole: string, decimal: string | undefined, literal: string | undefined): string {
  const character = decimal === undefined ? (literal ?? "") : String.fromCharCode(Number(decimal));
  return nameCharacter.test(character) ? character : whole;
}
