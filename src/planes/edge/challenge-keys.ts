import { randomBytes } from "node:crypto";

import type { Logger } from "pino";

import { SecretKeyError, type SecretBox } from "../../secrets/secret-box.ts";

/** The interval at which the secret key is read again. */
const lookMs = 10_000;
const keptMax = 8;

/** A key for a process without a secret key; its threads share it. */
export const ownChallengeKey = (): Buffer => randomBytes(32);

/**
 * Keys of 32 bytes for the puzzles and cookies of challenges: the first encrypts, any of them decrypts. They
 * are derived from the secret key, so edges with the same one share them; earlier keys remain until the
 * process ends. Without a secret key, it is the given one.
 */
export function followChallengeKeys(
  secretBox: Pick<SecretBox, "signAll">,
  nowMs: () => number,
  logger: Logger,
  ownKey = ownChallengeKey(),
): () => readonly Buffer[] {
  let keys: readonly Buffer[] = [];
  let lookedMs = 0;
  const look = (): void => {
    lookedMs = nowMs();
    const found = secretBox.signAll("", "challenges of the edge").map((mac) => Buffer.from(mac, "base64url"));
    const before = keys.filter((key) => !found.some((other) => other.equals(key)));
    keys = [...found, ...before].slice(0, keptMax);
  };
  try {
    look();
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    logger.warn(
      "without `secret_key_file`, a challenge that one edge passed counts there, and until it ends",
    );
    const own = [ownKey];
    return () => own;
  }
  return () => {
    if (nowMs() - lookedMs < lookMs) return keys;
    try {
      look();
    } catch (error) {
      logger.error({ err: error }, "the secret key cannot be read; challenges go on with the last one");
    }
    return keys;
  };
}
