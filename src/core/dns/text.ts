import { cutCharacterString, decodeCharacterString, toUtf8Octets } from "./character-string.ts";

const stringOctetsMax = 255;

const controlExceptTab = /[^\P{Cc}\t]/u;
const quotedString = String.raw`"(?:[^"\\]|\\.)*"`;
const quotedStrings = new RegExp(`^(?:${quotedString}[ \\t]*)+$`);
const everyQuotedString = new RegExp(quotedString, "g");

/**
 * The content of a TXT record; undefined when it is not valid (see `textStrings`). It is unchanged, but for quoted strings
 * of more than 255 octets, each of which is cut every 255 octets.
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
