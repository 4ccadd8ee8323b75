import { decodeText, encodeText, toOctets } from "./core/expression/byte-string.ts";
import { translatePattern } from "./core/expression/regex-dialect.ts";
import { PatternError, type Regex, type RegexEngine } from "./core/expression/regex-engine.ts";

type Rregex = (typeof import("rregex"))["RRegex"];

/**
 * Rust's `regex` in WebAssembly: linear in the text whatever the pattern, and the dialect of the language. It is loaded
 * when it is first needed. What it compiles lies in the memory of WebAssembly until it is freed.
 */
export async function loadRegexEngine(): Promise<RegexEngine> {
  const { RRegex } = await import("rregex");
  return { compile: (pattern) => compile(RRegex, pattern) };
}

/** Throws a PatternError. */
function compile(RRegex: Rregex, pattern: string): Regex {
  const { haystack, pattern: translated } = translatePattern(pattern);
  const regex = construct(RRegex, translated, pattern);
  if (haystack === "octets") {
    return {
      isMatch: (bytes) => regex.isMatch(bytes),
      replaceFirst: (bytes, replacement) => regex.replace(bytes, replacement),
      free: () => regex.free(),
    };
  }
  return {
    isMatch: (bytes) => regex.isMatch(textOf(bytes)),
    replaceFirst: (bytes, replacement) => encodeText(regex.replace(textOf(bytes), textOf(replacement))),
    free: () => regex.free(),
  };
}

/** A mistake is told of the pattern that was written, not of the one that is compiled. */
function construct(RRegex: Rregex, translated: string, pattern: string): InstanceType<Rregex> {
  try {
    return new RRegex(translated);
  } catch (error) {
    throw new PatternError(mistakeIn(RRegex, pattern) ?? messageOf(error));
  }
}

function mistakeIn(RRegex: Rregex, pattern: string): string | undefined {
  try {
    new RRegex(pattern).free();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Octets that are no UTF-8 become U+FFFD. */
function textOf(bytes: string): string {
  return decodeText(bytes) ?? lenient.decode(toOctets(bytes));
}
