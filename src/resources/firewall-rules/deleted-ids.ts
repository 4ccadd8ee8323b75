import type { Static } from "@sinclair/typebox";

import { invalidParameter } from "../../core/error.ts";
import type { IdsBody, IdsQuery } from "./schema.ts";

/** What is to be deleted, each once, by query or body. Errors: 400 code 1003 where neither names anything. */
export function deletedIds(query: Static<typeof IdsQuery>, body: Static<typeof IdsBody>): string[] {
  if (query.id === undefined && body.id === undefined) throw invalidParameter("id", "is required");
  const ids = [...(query.id ?? "").split(","), ...[body.id ?? []].flat()];
  return [...new Set(ids.filter((id) => id !== ""))];
}
