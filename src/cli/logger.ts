import { pino, type Logger } from "pino";

const standardError = 2;
/** Lines are written together: one by one they would cost more than some requests. */
const buffering = { minLength: 4096, periodicFlush: 100 };

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
    pino.destination({ fd: standardError, sync: false, ...buffering }),
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? error.code : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack };
}
