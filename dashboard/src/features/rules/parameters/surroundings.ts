import { createContext } from "react";

import type { ApiError } from "../../../api/api-error.ts";
import type { ExpressionUse } from "../../../expression/checker.ts";

/** Shared by the fields of a form. */
interface FormSurroundings {
  /** Each message of the server stands at the field of its pointer. */
  readonly error: ApiError | null;
  /** Decides the fields and functions of the expressions in the form. */
  readonly use: ExpressionUse;
  /** Choices for fields whose values are known, by their pointer. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const SurroundingsContext = createContext<FormSurroundings>({
  error: null,
  use: { phase: "http_request_firewall_custom", plan: undefined },
  choices: {},
});

/** The server's message about the value at a pointer, or about a part of it that is not drawn on its own. */
export function errorAt(
  error: ApiError | null,
  pointer: string,
  isDrawn: (name: string) => boolean = () => false,
): string | undefined {
  const about = error?.details.find(({ source }) => {
    const at = source?.pointer;
    if (at === pointer) return true;
    if (at?.startsWith(`${pointer}/`) !== true) return false;
    return !isDrawn(at.slice(pointer.length + 1).split("/")[0] ?? "");
  });
  return about?.source?.pointer === undefined ? undefined : error?.about(about.source.pointer);
}
