import { isHostname, toAsciiName } from "./name.ts";

// An unclosed quote matches up to the end, so that the search for its end is not repeated at each later quote.
const quotedOrBlank = /("(?:[^"\\]|\\.?)*(?:"|$))|[ \t]+/gs;
// Only numbers and quoted texts may precede the name, as in SRV and NAPTR. With words it would be a sentence.
const nameWithFinalDot = /^((?:(?:\d+|"(?:[^"\\]|\\.)*") )*)([^ "]+)\.$/;

/**
 * What a content filter of a list is compared as: trimmed, runs of spaces and tabs outside quotes made one
 * space, and the final dot cut from a name that the content is or ends with, as stored content has none. Letter
 * case stays.
 */
export function normalizeContentFilter(content: string): string {
  const text = content.trim().replace(quotedOrBlank, (_, quoted?: string) => quoted ?? " ");
  const [, before = "", name = ""] = nameWithFinalDot.exec(text) ?? [];
  return looksLikeHostname(name) ? before + name : text;
}

function looksLikeHostname(name: string): boolean {
  const ascii = toAsciiName(name);
  return ascii !== undefined && ascii.includes(".") && isHostname(ascii.replaceAll("_", "x"));
}
