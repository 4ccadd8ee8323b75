import { decodeText } from "../byte-string.ts";
import { parseReplacement, type Replacement } from "../replacement.ts";
import { parseWildcard, wildcardCaptures } from "../wildcard.ts";
import type { Implementation } from "./call-site.ts";

export const replacementFunctions: Readonly<Record<string, Implementation>> = {
  regex_replace: ({ literals, patterns }) => {
    const [, pattern, replacement] = literals as readonly [unknown, string, string];
    const regex = patterns.get(decodeText(pattern) ?? pattern);
    const parts = readReplacement(replacement);
    const template = parts
      .map((part) => (typeof part === "number" ? `\${${part}}` : part.replaceAll("$", "$$$$")))
      .join("");
    return (first) => (first === undefined ? undefined : regex.replaceFirst(first as string, template));
  },
  wildcard_replace: ({ literals }) => {
    const [, pattern, replacement, flags] = literals as readonly [unknown, string, string, string?];
    const wildcard = parseWildcard(pattern, Number.POSITIVE_INFINITY);
    const parts = readReplacement(replacement);
    return (first) => {
      if (first === undefined || "issue" in wildcard) return undefined;
      const captures = wildcardCaptures(wildcard, flags === "s", first as string);
      if (captures === undefined) return first;
      return parts.map((part) => (typeof part === "number" ? (captures[part - 1] ?? "") : part)).join("");
    };
  },
};

/** Reads a replacement that the parser has accepted. */
function readReplacement(bytes: string): Replacement {
  const replacement = parseReplacement(bytes);
  return "issue" in replacement ? [] : replacement;
}
