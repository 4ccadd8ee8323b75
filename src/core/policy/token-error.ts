import { errorCodes } from "../error-codes.ts";
import { AppError, escapePointer, invalidBody } from "../error.ts";

export type BodyPath = readonly (string | number)[];

/** The error 400 code 1001 (docs/decisions/0012-strict-token-bodies.md). */
export function invalidTokenBody(path: BodyPath, rule: string): AppError {
  const place = path.map((step) => escapePointer(String(step))).join("/");
  return invalidBody(`/${place}`, rule, errorCodes.tokens.invalid);
}
