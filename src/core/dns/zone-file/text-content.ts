import { decodeCharacterString, encodeCharacterString } from "../character-string.ts";
import { parseText, textStrings } from "../text.ts";

/**
 * TXT content in a zone file. The API keeps content as it was sent, with or without quotes, but a file always
 * has quotes. So that both come back from a file as they were:
 *
 * - content without quotes is written as its strings, with everything but printable ASCII escaped;
 * - content with quotes is written as it is, below a comment line that says so (`quotedTextComment`);
 * - elsewhere, strings that are what some content without quotes stands for are read as that content, and
 *   others as quoted strings, spelled as in the file and separated by one space.
 *
 * Other software ignores the comment line; without it the same DNS record is read.
 */
export const quotedTextComment = ";; TXT Records, content in quotes";

const segments = /"(?:[^"\\]|\\.)*"|(?:[^"\\]|\\.)+/gs;
// Without the BOM option the first character of a text could get lost.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether TXT content belongs into the section of `quotedTextComment`. */
export function isQuotedText(content: string): boolean {
  return content.startsWith('"');
}

/** The data of a TXT record from the content that `parseRdata` answers. */
export function printText(content: string): string {
  if (isQuotedText(content)) return content;
  return (textStrings(content) ?? []).map(encodeCharacterString).join(" ");
}

/** The content of a TXT record for `parseRdata`, which refuses malformed escapes and strings too long. */
export function readText(tokens: readonly string[]): string {
  const quoted = tokens.flatMap((token) => token.match(segments) ?? []).map(withQuotes);
  return plainContent(quoted.map(decodeCharacterString)) ?? quoted.join(" ");
}

/** As `readText`, below `quotedTextComment`: `source` is the text of the record up to its comment. */
export function readQuotedText(source: string, hasComment: boolean, tokens: readonly string[]): string {
  const data = source.slice(Math.max(source.indexOf('"'), 0));
  const content = hasComment && data.endsWith(" ") ? data.slice(0, -1) : data;
  return isQuotedText(content) && parseText(content) !== undefined ? content : readText(tokens);
}

function withQuotes(segment: string): string {
  return isQuotedText(segment) ? segment : `"${segment}"`;
}

/** The content without quotes that stands for exactly these strings of octets. */
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
