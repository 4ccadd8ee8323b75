import type { KeyObject } from "node:crypto";

import { createSecrets, secretKeySourceOf } from "../open-store.ts";
import {
  addSecretKey,
  idOfSecretKey,
  newSecretKey,
  parseSecretKeys,
  readSecretKeys,
  retireSecretKeys,
  SecretKeyError,
} from "../secret-keys.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Database } from "../storage/database.ts";
import { resealSecrets } from "../storage/sealed-columns.ts";
import { runToEnd, takeFlags, UsageError, unknownCommand } from "./command-line.ts";
import { withExistingStore } from "./existing-store.ts";
import { withProgress, type Progress } from "./progress.ts";

const newKeyVariable = "ZONEWARD_NEW_SECRET_KEY";

/** `zoneward secrets`: looks after the key that encrypts secrets in the store, also while a server runs on it. */
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
 * Encrypts all secrets anew or none. Whatever cuts it short, every secret opens with the keys that are in the file then; it
 * is gone on with by running it again.
 */
async function rotate(
  args: readonly string[],
  { [newKeyVariable]: given, ...env }: NodeJS.ProcessEnv,
): Promise<void> {
  const { taken, others } = takeFlags(args, ["new-key-file"]);
  const newKey = readNewKey(taken["new-key-file"], given);
  await withExistingStore(others, env, async (db, config) => {
    const source = secretKeySourceOf(config);
    const keyFile = "file" in source ? source.file : undefined;
    if (keyFile !== undefined) prepareFile(keyFile, newKey);
    else if (newKey !== undefined) {
      throw new UsageError(
        "a new key belongs before the old one in `secret_key`: set it for every server, and run this again",
      );
    }
    const replaced = await encryptAnew(db, createSecrets(config));
    process.stdout.write(`${replaced} secrets encrypted anew\n`);
    if (keyFile !== undefined) retire(keyFile);
    else process.stderr.write("The keys behind the first one in `secret_key` are not needed any more.\n");
  });
}

/** Answers how many there were. Throws for secrets that open with no key, and then nothing of the store was changed. */
async function encryptAnew(db: Database, box: SecretBox): Promise<number> {
  let [replaced, found] = [0, 0];
  await withProgress(async (progress) => {
    // A server may have stored one with the old key until it saw the new one.
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
    `nothing was encrypted anew and no key was taken away, as these open with none:\n  ${unreadable.join("\n  ")}`,
  );
}

function readNewKey(file: string | undefined, given: string | undefined): KeyObject | undefined {
  if (file === undefined && given === undefined) return undefined;
  const keys = file === undefined ? parseSecretKeys(given ?? "", newKeyVariable) : readSecretKeys(file);
  if (keys.length > 1) throw new UsageError("the new key has to be one");
  return keys[0];
}

/** Puts a new key first, unless an earlier run or the operator did. */
function prepareFile(file: string, newKey: KeyObject | undefined): void {
  const [first, ...others] = readSecretKeys(file);
  const isFirst = newKey !== undefined && idOfSecretKey(newKey) === idOfSecretKey(first);
  if (others.length === 0 && !isFirst) addSecretKey(file, newKey ?? newSecretKey());
  else if (newKey !== undefined && !isFirst) {
    throw new Error(`${file} holds another new key already: run this without one to go on with that`);
  }
}

function retire(file: string): void {
  if (readSecretKeys(file).length === 1) return;
  try {
    const retired = retireSecretKeys(file);
    process.stderr.write(
      `${file} holds the new key alone. The old one is in ${retired}: backups from before need it; delete it with them.\n`,
    );
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    process.stderr.write(
      `${file} cannot be written: take out the keys behind the first one, which nothing needs.\n`,
    );
  }
}
