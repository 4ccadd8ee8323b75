import { PassThrough, type Readable } from "node:stream";

import type { FollowedAnswer } from "./route.ts";

/** Lines of JSON (https://github.com/ndjson/ndjson-spec). */
export const progressType = "application/x-ndjson";

/** Whether a client accepts lines of progress before the envelope. */
export function acceptsProgress(accept: string | undefined): boolean {
  return accept?.includes(progressType) === true;
}

/**
 * Each progress report of the work as a line, then its envelope as the last line: that of a failure if the
 * work fails. An error before the first line is thrown, so that it is answered like any other.
 */
export async function progressLines(
  { follow }: FollowedAnswer,
  failureOf: (error: unknown) => string,
): Promise<Readable> {
  const lines = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const done = follow((progress) => {
    lines.write(`${JSON.stringify(progress)}\n`);
    begun.resolve();
  });
  await Promise.race([begun.promise, done]);
  void done.catch(failureOf).then((envelope) => lines.end(`${envelope}\n`));
  return lines;
}
