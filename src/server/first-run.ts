import type { Logger } from "pino";

import { addFirstSignInLink } from "../resources/sessions/sessions.ts";
import { ensureOwnerToken } from "../resources/tokens/tokens.ts";
import { ensureOwner, type Owner } from "../resources/users/users.ts";
import { readSeed } from "../seed/read-seed.ts";
import { applySeed, type SeedContext } from "../seed/seed.ts";
import type { Config } from "../config/settings.ts";

/** The owner of the store, and its first sign-in link. */
export interface FirstRun extends Owner {
  /** Token of a link by which the owner sets its password; undefined where it has one, or cannot sign in. */
  readonly signInToken: string | undefined;
}

/**
 * Gives an empty store its owner and the content of the seed file, all or nothing; on any other store only
 * the preset key and token take effect (docs/decisions/0003-first-run.md). An owner without a password gets a
 * sign-in link at every start. Throws `SeedError` for a seed with errors.
 */
export async function prepareStore(context: SeedContext, config: Config, logger: Logger): Promise<FirstRun> {
  const seed = config.seed === undefined ? undefined : await readSeed(config.seed);
  // Loaded here, as nothing but the store may be awaited in a transaction.
  if (seed?.zones?.some((zone) => (zone.rulesets ?? zone.firewall_rules) !== undefined)) {
    await context.loadExpressionEngine();
  }
  // Of several processes that start on one empty store, only the first creates an owner.
  return context.db.exclusiveTransaction(async (tx, publication) => {
    const owner = await ensureOwner(context, tx, {
      email: config.owner_email,
      accountName: config.account_name,
      key: config.owner_key,
    });
    if (config.owner_token !== undefined) {
      await ensureOwnerToken(context, tx, owner.userId, config.owner_token);
    }
    const signInToken =
      config.dashboard === "on" ? await addFirstSignInLink(context, tx, owner.userId) : undefined;
    const firstRun = { ...owner, signInToken };
    publication.anything();
    if (seed === undefined) return firstRun;
    if (!owner.isNew) {
      logger.warn("the store is not empty: the seed is ignored");
      return firstRun;
    }
    const { userId, email, accountId } = owner;
    const seedOwner = { userId, email, account: { id: accountId, name: config.account_name } };
    await applySeed(context, tx, seed, seedOwner);
    return firstRun;
  });
}
