import type { Static } from "@sinclair/typebox";

import { invalidParameter } from "../../core/error.ts";
import type { IdsBody, IdsQuery } from "./schema.ts";

/** The ids to delete, without duplicates, from query or body. Errors: 400 code 1003 without any. */
export function deletedIds(query: Static<typeof IdsQuery>, body: Static<typeof IdsBody>): string[] {
  if (query.id === undefined && body.id === undefined) throw invalidParameter("id", "is required");
  const ids = [...(query.id ?? "").split(","), ...[body.id ?? []].flat()];
  return [...new Set(ids.filter((id) => id !== ""))];
}
