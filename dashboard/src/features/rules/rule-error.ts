import { ApiError } from "../../api/api-error.ts";

/** The error of a rule with pointers into the rule itself, also where it was sent within a ruleset. */
export function errorOfRule(error: ApiError | null): ApiError | null {
  return (
    error &&
    new ApiError(
      error.status,
      error.details.map(({ source, ...detail }) => ({
        ...detail,
        ...(source?.pointer !== undefined && {
          source: { pointer: source.pointer.replace(/^\/rules\/0(?=\/)/, "") },
        }),
      })),
    )
  );
}
