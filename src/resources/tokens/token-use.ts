import { toTimestamp } from "../../storage/columns.ts";
import type { Context } from "../../operation/context.ts";
import { updateLastUsed } from "./store.ts";

/** When tokens were last used, by their ids: written now and then, off the requests. */
export type TokenUse = Map<string, Date>;

/** Writes what was noted and forgets it. What cannot be written is noted again. */
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
