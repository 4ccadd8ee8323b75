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
 * A quoted token as quoted tokens of at most `octetsMax` octets, spelled as it is. A character whose octets belong
 * to two of them is written as octets in decimal. A malformed token stays as it is.
 */
function cutCharacterString(quoted: string, octetsMax: number): string[] {
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

function toUtf8Octets(text: string): string {
  if (asciiOnly.test(text)) return text;
  return Array.from(utf8.encode(text), (octet) => String.fromCharCode(octet)).join("");
}

const stringOctetsMax = 255;

const controlExceptTab = /[^\P{Cc}\t]/u;
const quotedString = String.raw`"(?:[^"\\]|\\.)*"`;
const quotedStrings = new RegExp(`^(?:${quotedString}[ \\t]*)+$`);
const everyQuotedString = new RegExp(quotedString, "g");

/**
 * The content of a TXT record; undefined when it is not valid (see `textStrings`). It is unchanged, but for quoted
 * strings of more than 255 octets, each of which is cut every 255 octets.
 */
export function parseText(content: string): string | undefined {
  const cut = content.startsWith('"') && quotedStrings.test(content) ? cutQuotedStrings(content) : content;
  return textStrings(cut) === undefined ? undefined : cut;
}

function cutQuotedStrings(content: string): string {
  return content.replace(everyQuotedString, (quoted) =>
    // No string of so few characters is too long: each is at most three octets.
    3 * quoted.length <= stringOctetsMax ? quoted : cutCharacterString(quoted, stringOctetsMax).join(" "),
  );
}

/**
 * The character strings of TXT content, each the octets of one (RFC 1035 section 3.3.14). Content that
 * begins with a quote is a list of quoted strings of at most 255 octets each; any other is one text, taken
 * literally and cut every 255 octets. Undefined for control characters, lone surrogates and malformed
 * quoting.
 */
export function textStrings(content: string): string[] | undefined {
  if (!content.isWellFormed() || controlExceptTab.test(content)) return undefined;
  return content.startsWith('"') ? quotedTextStrings(content) : cutIntoStrings(toUtf8Octets(content));
}

function quotedTextStrings(content: string): string[] | undefined {
  if (!quotedStrings.test(content)) return undefined;
  const strings: string[] = [];
  for (const quoted of content.match(everyQuotedString) ?? []) {
    const octets = decodeCharacterString(quoted);
    if (octets === undefined || octets.length > stringOctetsMax) return undefined;
    strings.push(octets);
  }
  return strings;
}

function cutIntoStrings(octets: string): string[] {
  const count = Math.ceil(octets.length / stringOctetsMax);
  return Array.from({ length: count }, (_, index) =>
    octets.slice(index * stringOctetsMax, (index + 1) * stringOctetsMax),
  );
}

/** Octets of TXT content on the wire: each string with its length octet. */
export function textOctets(content: string): number {
  return (textStrings(content) ?? []).reduce((sum, octets) => sum + 1 + octets.length, 0);
}
