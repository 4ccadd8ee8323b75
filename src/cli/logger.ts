import { pino, type Logger } from "pino";

import { writeLinesTo } from "./log-lines.ts";

const standardError = 2;
/** One for all loggers of a process, which writes what waits when the process exits. */
let lines: ReturnType<typeof writeLinesTo> | undefined;

/**
 * JSON lines on standard error, at most a tenth of a second late. It is never given a header, a query or a body. Of an
 * error it writes what happened and where, not the data that it carries.
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
