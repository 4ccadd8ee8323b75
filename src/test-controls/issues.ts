import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidBody } from "../core/error.ts";
import type { Check, Issue } from "../core/validate/check.ts";

/** A body of 1 MiB could have so many of them that the answer would be larger than the body. */
const issuesMax = 1_000;

/** Throws 400 code 1003 with what is wrong with a body, each with its pointer, unless there is nothing. */
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
