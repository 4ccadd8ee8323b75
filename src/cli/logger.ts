import { write, writeSync } from "node:fs";

import { pino, type Logger } from "pino";

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

/** Characters that are written at once: one line at a time would cost more than some requests. */
const lengthAtOnce = 4096;
const delayMs = 100;
const waitingMax = 1024 * 1024;

/**
 * Writes lines to a file descriptor without waiting for its reader, at most a tenth of a second late, the last ones
 * when the process exits. Lines are lost where they cannot be written, as the disk is full or the reader is gone, and
 * beyond 1 MiB that waits for a slow reader: a log never stops the process, nor keeps it from ending.
 */
function writeLinesTo(descriptor: number): { readonly write: (line: string) => void } {
  let waiting = "";
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    timer = undefined;
    if (isWriting || waiting === "") return;
    isWriting = true;
    const octets = Buffer.from(waiting);
    waiting = "";
    writeAll(octets);
  };
  const flushLater = (): void => {
    timer ??= setTimeout(flush, delayMs).unref();
  };
  const writeAll = (octets: Buffer): void =>
    write(descriptor, octets, (error, count) => {
      if (error?.code === "EAGAIN") {
        setTimeout(() => writeAll(octets), delayMs).unref();
      } else if (error === null && count < octets.length) {
        writeAll(octets.subarray(count));
      } else {
        isWriting = false;
        if (waiting !== "") flushLater();
      }
    });
  process.on("exit", () => {
    try {
      for (let octets = Buffer.from(waiting); octets.length > 0;) {
        octets = octets.subarray(writeSync(descriptor, octets));
      }
    } catch {
      // Nobody is left who could be told.
    }
  });

  return {
    write: (line) => {
      if (waiting.length > waitingMax) return;
      waiting += line;
      if (waiting.length < lengthAtOnce) flushLater();
      else flush();
    },
  };
}
