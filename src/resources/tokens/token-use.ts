import { toTimestamp } from "../../storage/columns.ts";
import type { Context } from "../../operation/context.ts";
import { updateLastUsed } from "./store.ts";

/** The last use of tokens, by id; stored at intervals. */
export type TokenUse = Map<string, Date>;

/** Stores the noted uses; on failure they are kept for the next attempt. */
export async function saveTokenUse({ db }: Pick<Context, "db">, use: TokenUse): Promise<void> {
  if (use.size === 0) return;
  const noted = [...use];
  use.clear();
  try {
    await db.transaction((tx) =>
      updateLastUsed(
        tx,
        noted.map(([id, usedOn]) => [id, toTimestamp(usedOn)]),
      ),
    );
  } catch (error) {
    for (const [id, usedOn] of noted) if (!use.has(id)) use.set(id, usedOn);
    throw error;
  }
}
