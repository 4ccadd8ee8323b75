import { readConfig } from "../config/config.ts";
import { openExistingStore } from "../process/open-store.ts";
import type { Config } from "../config/settings.ts";
import type { Database } from "../storage/database.ts";

/** Runs `work` on the store that the settings name; a server may be running on it. */
export async function withExistingStore(
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = await readConfig(settings, env);
  const db = await openExistingStore(config);
  try {
    await work(db, config);
  } finally {
    await db.close();
  }
}
