import { isHostname, toAsciiName } from "./name.ts";

// An open quote takes the rest with it: looked for once, not again at each quote behind it.
const quotedOrBlank = /("(?:[^"\\]|\\.?)*(?:"|$))|[ \t]+/gs;
// Numbers and quoted texts before a name, as in SRV and NAPTR; words before it would be a sentence.
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
