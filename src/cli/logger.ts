import { pino, type Logger } from "pino";

import { writeLinesTo } from "./log-lines.ts";

const standardError = 2;
/** The lines of all loggers of a process, of which the last are written when it exits. */
let lines: ReturnType<typeof writeLinesTo> | undefined;

/**
 * Logs JSON lines on standard error, at most a tenth of a second late. No caller logs a header, a query or a
 * body. Of an error it logs the message and the stack, not the data that it carries.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    (lines ??= writeLinesTo(standardError)),
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? error.code : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack };
}
