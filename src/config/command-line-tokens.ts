import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** A flag or another argument of a command line. */
export interface Token {
  /** The places that it takes among the arguments. */
  readonly from: number;
  readonly to: number;
  /** As it was written, without a value: `--port`; undefined for what is no flag. */
  readonly flag: string | undefined;
  readonly isKnown: boolean;
  /** The value of a flag, undefined for none; or the argument itself. */
  readonly value: string | undefined;
}

/**
 * Reads a command line, `--name value` or `--name=value`. A flag is never the value of another one. What follows an unknown
 * flag belongs to it: it may be a secret, which no error may quote.
 */
export function readTokens(args: readonly string[], options: ParseArgsOptionsConfig): readonly Token[] {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const read: Token[] = [];
  for (const token of tokens) {
    const before = read.at(-1);
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      const { index: from, value } = token;
      const isOfUnknown = before?.flag !== undefined && !before.isKnown && before.value === undefined;
      if (isOfUnknown && before.to === from) read.splice(-1, 1, { ...before, to: from + 1, value });
      else read.push({ from, to: from + 1, flag: undefined, isKnown: false, value });
      continue;
    }
    const { index: from, rawName: flag, value, inlineValue } = token;
    const isKnown = Object.hasOwn(options, token.name);
    const isSeparate = inlineValue === false;
    if (isSeparate && value.startsWith("--")) {
      const after = readTokens(args.slice(from + 1), options);
      const moved = after.map((later) => ({
        ...later,
        from: later.from + from + 1,
        to: later.to + from + 1,
      }));
      return [...read, { from, to: from + 1, flag, isKnown, value: undefined }, ...moved];
    }
    read.push({ from, to: from + (isSeparate ? 2 : 1), flag, isKnown, value });
  }
  return read;
}
