import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidBody } from "../core/error.ts";
import type { Check, Issue } from "../core/validate/check.ts";

/**
 * Maximum number of issues in an answer. A body of 1 MiB could have so many that the answer would be larger
 * than the body.
 */
const issuesMax = 1_000;

/** Throws 400 code 1003 with all issues of a body, each with its pointer, unless there are none. */
export function refuseUnless(check: Check, body: unknown): void {
  const issues: Issue[] = [];
  check(body, "", issues);
  const [first, ...others] = issues
    .slice(0, issuesMax)
    .map(({ pointer, rule }) => invalidBody(pointer, rule));
  if (first === undefined) return;
  throw new AppError("invalid", errorCodes.request.invalid, first.message, {
    ...(first.pointer !== undefined && { pointer: first.pointer }),
    others,
  });
}
