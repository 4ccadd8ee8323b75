/**
 * The text syntax of zone files (RFC 1035 section 5.1). "Octets" are strings whose code units are octets,
 * so that text of any encoding can be held, compared and measured.
 */

const token = String.raw`(?:"(?:[^"\\]|\\.)*"|\\.|[^\s"\\])+`;
const tokenLine = new RegExp(`^[ \\t]*${token}(?:[ \\t]+${token})*[ \\t]*$`);
const everyToken = new RegExp(token, "g");

const escapeSequence = String.raw`\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D)`;
const escapedText = new RegExp(`^(?:[^"\\\\]|${escapeSequence})*$`, "su");
const escapeOrText = new RegExp(`${escapeSequence}|[^\\\\]+`, "gsu");
const escapeOrCharacter = new RegExp(`${escapeSequence}|[^\\\\]`, "gsu");

const utf8 = new TextEncoder();
const asciiOnly = /^\p{ASCII}*$/u;

/**
 * The tokens of a line, separated by runs of spaces and tabs; a separator inside quotes is text.
 * Tokens keep their quotes and escapes. Undefined for a blank line, an open quote or a line break.
 */
export function splitTokens(line: string): string[] | undefined {
  return tokenLine.test(line) ? (line.match(everyToken) ?? undefined) : undefined;
}

/**
 * Octets of a token that is quoted as a whole or not at all: `\DDD` is an octet in decimal, any other
 * escaped character itself, the rest UTF-8. Undefined when quotes or escapes are malformed.
 */
export function decodeCharacterString(text: string): string | undefined {
  const isQuoted = text.startsWith('"');
  if (isQuoted && !(text.length > 1 && text.endsWith('"'))) return undefined;
  const body = isQuoted ? text.slice(1, -1) : text;
  return escapedText.test(body) ? body.replace(escapeOrText, decodePiece) : undefined;
}

function decodePiece(piece: string): string {
  if (/^\\\d/.test(piece)) return String.fromCharCode(Number(piece.slice(1)));
  return toUtf8Octets(piece.startsWith("\\") ? piece.slice(1) : piece);
}

/**
 * A quoted token as quoted tokens of at most `octetsMax` octets, spelled as it is. A character whose octets belong to two
 * of them is written as octets in decimal. A malformed token stays as it is.
 */
export function cutCharacterString(quoted: string, octetsMax: number): string[] {
  const octets = decodeCharacterString(quoted);
  if (octets === undefined || octets.length <= octetsMax) return [quoted];
  const parts: string[] = [];
  let part = "";
  let length = 0;
  const end = (): void => {
    parts.push(`"${part}"`);
    part = "";
    length = 0;
  };
  for (const piece of quoted.slice(1, -1).match(escapeOrCharacter) ?? []) {
    const pieceOctets = decodePiece(piece);
    if (length === octetsMax) end();
    if (length + pieceOctets.length <= octetsMax) {
      part += piece;
      length += pieceOctets.length;
      continue;
    }
    for (const octet of pieceOctets) {
      if (length === octetsMax) end();
      part += escapeOctet(octet);
      length += 1;
    }
  }
  end();
  return parts;
}

/** Octets as a quoted token of printable ASCII that `decodeCharacterString` reads back. */
export function encodeCharacterString(octets: string): string {
  const escaped = octets.replace(/["\\]/g, String.raw`\$&`).replace(/[^ -~]/g, escapeOctet);
  return `"${escaped}"`;
}

function escapeOctet(octet: string): string {
  return `\\${String(octet.charCodeAt(0)).padStart(3, "0")}`;
}

export function toUtf8Octets(text: string): string {
  if (asciiOnly.test(text)) return text;
  return Array.from(utf8.encode(text), (octet) => String.fromCharCode(octet)).join("");
}
