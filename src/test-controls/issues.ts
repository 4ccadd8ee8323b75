import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidBody } from "../core/error.ts";
import type { Check, Issue } from "../core/validate/check.ts";

/** Throws 400 code 1003 with everything that is wrong with a body and its pointer, unless there is nothing. */
export function refuseUnless(check: Check, body: unknown): void {
  const issues: Issue[] = [];
  check(body, "", issues);
  const [first, ...others] = issues.map(({ pointer, rule }) => invalidBody(pointer, rule));
  if (first === undefined) return;
  throw new AppError("invalid", errorCodes.request.invalid, first.message, {
    ...(first.pointer !== undefined && { pointer: first.pointer }),
    others,
  });
}
