import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidBody } from "../core/error.ts";
import type { Issue } from "../core/validate/check.ts";

/** Throws 400 code 1003 with every issue of a body and its pointer, unless there is none. */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first, ...others] = issues.map(({ pointer, rule }) => invalidBody(pointer, rule));
  if (first === undefined) return;
  throw new AppError("invalid", errorCodes.request.invalid, first.message, {
    ...(first.pointer !== undefined && { pointer: first.pointer }),
    others,
  });
}
