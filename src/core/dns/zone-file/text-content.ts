import { decodeCharacterString, encodeCharacterString } from "../character-string.ts";
import { parseText, textStrings } from "../text.ts";

/**
 * TXT content in a zone file. Content may have quotes or not, but a file always has quotes. To restore both:
 *
 * - content without quotes is written as its strings, with everything but printable ASCII escaped;
 * - content with quotes is written unchanged below a comment line (`quotedTextComment`);
 * - elsewhere, strings that some content without quotes produces are read as that content, and others as quoted strings,
 *   spelled as in the file and separated by one space.
 *
 * Other software ignores the comment line and reads the same DNS record.
 */
export const quotedTextComment = ";; TXT Records, content in quotes";

const segments = /"(?:[^"\\]|\\.)*"|(?:[^"\\]|\\.)+/gs;
// `ignoreBOM` keeps U+FEFF as the first character.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether TXT content belongs into the section of `quotedTextComment`. */
export function isQuotedText(content: string): boolean {
  return content.startsWith('"');
}

export function printText(content: string): string {
  if (isQuotedText(content)) return content;
  return (textStrings(content) ?? []).map(encodeCharacterString).join(" ");
}

/** The content for `parseRdata`, which refuses malformed escapes and long strings. */
export function readText(tokens: readonly string[]): string {
  const quoted = tokens.flatMap((token) => token.match(segments) ?? []).map(withQuotes);
  return plainContent(quoted.map(decodeCharacterString)) ?? quoted.join(" ");
}

/** As `readText`, below `quotedTextComment`: `source` is the record up to its comment. */
export function readQuotedText(source: string, hasComment: boolean, tokens: readonly string[]): string {
  const data = source.slice(Math.max(source.indexOf('"'), 0));
  const content = hasComment && data.endsWith(" ") ? data.slice(0, -1) : data;
  return isQuotedText(content) && parseText(content) !== undefined ? content : readText(tokens);
}

function withQuotes(segment: string): string {
  return isQuotedText(segment) ? segment : `"${segment}"`;
}

/** The content without quotes that produces exactly these octets. */
function plainContent(strings: readonly (string | undefined)[]): string | undefined {
  const octets = strings.join("");
  const content = /^[ -~]*$/.test(octets) ? octets : utf8.decode(Uint8Array.from(octets, codeOf));
  if (content.trim() === "") return undefined;
  const meant = textStrings(content);
  const isSame =
    meant?.length === strings.length && meant.every((string, index) => string === strings[index]);
  return isSame ? content : undefined;
}

function codeOf(octet: string): number {
  return octet.charCodeAt(0);
}
