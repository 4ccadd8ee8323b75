import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** A flag or another argument of a command line. */
export interface Token {
  readonly from: number;
  readonly to: number;
  /** The flag as written, without a value: `--port`; undefined for an argument that is not a flag. */
  readonly flag: string | undefined;
  readonly isKnown: boolean;
  /** The value of a flag, undefined if it has none; or the argument itself. */
  readonly value: string | undefined;
}

/**
 * Reads a command line from its argument `first` on, `--name value` or `--name=value`. A flag is never the value of
 * another one. An argument after an unknown flag is taken as its value: it may be a secret, which no error may quote.
 */
export function readTokens(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  first = 0,
): readonly Token[] {
  const { tokens } = parseArgs({ args: args.slice(first), options, strict: false, tokens: true });
  const read: Token[] = [];
  for (const token of tokens) {
    const before = read.at(-1);
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      const { value } = token;
      const from = first + token.index;
      const isOfUnknown = before?.flag !== undefined && !before.isKnown && before.value === undefined;
      if (isOfUnknown && before.to === from) read.splice(-1, 1, { ...before, to: from + 1, value });
      else read.push({ from, to: from + 1, flag: undefined, isKnown: false, value });
      continue;
    }
    const { rawName: flag, value, inlineValue } = token;
    const from = first + token.index;
    const isKnown = Object.hasOwn(options, token.name);
    const isSeparate = inlineValue === false;
    if (isSeparate && value.startsWith("--")) {
      read.push({ from, to: from + 1, flag, isKnown, value: undefined });
      return [...read, ...readTokens(args, options, from + 1)];
    }
    read.push({ from, to: from + (isSeparate ? 2 : 1), flag, isKnown, value });
  }
  return read;
}
