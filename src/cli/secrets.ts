import type { KeyObject } from "node:crypto";

import { createSecrets, secretKeySourceOf } from "../process/open-store.ts";
import {
  addSecretKey,
  idOfSecretKey,
  newSecretKey,
  parseSecretKeys,
  readSecretKeys,
  retireSecretKeys,
  SecretKeyError,
} from "../secrets/secret-keys.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Database } from "../storage/database.ts";
import { resealSecrets } from "../storage/sealed-columns.ts";
import { readCommand, runToEnd, UsageError, unknownCommand, withExistingStore } from "./command-line.ts";
import { withProgress, type Progress } from "./progress.ts";

const newKeyVariable = "ZONEWARD_NEW_SECRET_KEY";

/** `zoneward secrets`: manages the key that encrypts secrets in the store, also while a server runs on it. */
export async function secrets(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command !== "rotate") {
      throw unknownCommand("secrets", command);
    }
    await rotate(rest, env);
  });
}

/**
 * Encrypts all secrets again, or none. However it is interrupted, the keys in the file open every secret, and
 * another run continues.
 */
async function rotate(
  args: readonly string[],
  { [newKeyVariable]: given, ...env }: NodeJS.ProcessEnv,
): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ["new-key-file"] });
  const newKey = readNewKey(values["new-key-file"], given);
  await withExistingStore(settings, env, async (db, config) => {
    const source = secretKeySourceOf(config);
    const keyFile = "file" in source ? source.file : undefined;
    if (keyFile !== undefined) prepareFile(keyFile, newKey);
    else if (newKey !== undefined) {
      throw new UsageError(
        "put the new key before the old one in `secret_key` on every server, then run this again",
      );
    }
    const replaced = await encryptAnew(db, createSecrets(config));
    process.stdout.write(`${replaced} secrets encrypted with the new key\n`);
    if (keyFile !== undefined) retire(keyFile);
    else process.stderr.write("Only the first key in `secret_key` is still needed.\n");
  });
}

/**
 * Encrypts all secrets with the first key and returns their number. Throws, and leaves the store unchanged,
 * if no key opens some secret.
 */
async function encryptAnew(db: Database, box: SecretBox): Promise<number> {
  let [replaced, found] = [0, 0];
  await withProgress(async (progress) => {
    // A server may store a secret with the old key until it sees the new one.
    do {
      found = await db.transaction((tx) => encryptAll(tx, box, progress));
      replaced += found;
    } while (found > 0);
  });
  return replaced;
}

async function encryptAll(tx: Database["read"], box: SecretBox, progress: Progress): Promise<number> {
  const unreadable: string[] = [];
  const reseal: SecretBox["reseal"] = (sealed, place) => {
    try {
      return box.reseal(sealed, place);
    } catch (error) {
      if (!(error instanceof SecretKeyError)) throw error;
      unreadable.push(place);
      return undefined;
    }
  };
  const found = await resealSecrets(tx, reseal, ({ done, total }) => progress.show(done, total, "secrets"));
  if (unreadable.length === 0) return found;
  throw new Error(
    `no secret was changed and no key was removed, because no key opens these:\n  ${unreadable.join("\n  ")}`,
  );
}

function readNewKey(file: string | undefined, given: string | undefined): KeyObject | undefined {
  if (file === undefined && given === undefined) return undefined;
  const keys = file === undefined ? parseSecretKeys(given ?? "", newKeyVariable) : readSecretKeys(file);
  if (keys.length > 1) throw new UsageError("expected exactly one new key");
  return keys[0];
}

/** Puts a new key first in the file, unless an earlier run or the operator did. */
function prepareFile(file: string, newKey: KeyObject | undefined): void {
  const [first, ...others] = readSecretKeys(file);
  const isFirst = newKey !== undefined && idOfSecretKey(newKey) === idOfSecretKey(first);
  if (others.length === 0 && !isFirst) addSecretKey(file, newKey ?? newSecretKey());
  else if (newKey !== undefined && !isFirst) {
    throw new Error(
      `${file} already holds another new key: run this without a key to continue with that one`,
    );
  }
}

function retire(file: string): void {
  if (readSecretKeys(file).length === 1) return;
  try {
    const retired = retireSecretKeys(file);
    process.stderr.write(
      `${file} now holds only the new key. The old one is in ${retired}: older backups need it. Delete it together with them.\n`,
    );
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    process.stderr.write(
      `${file} cannot be written: remove every key but the first from it; nothing needs them.\n`,
    );
  }
}
