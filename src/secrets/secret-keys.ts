import { createSecretKey, hash, randomBytes, type KeyObject } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** A problem with the key that the operator has to solve. The message contains no secret. */
export class SecretKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SecretKeyError";
  }
}

/** All keys. The first one encrypts; the others only decrypt. */
export type SecretKeys = readonly [KeyObject, ...KeyObject[]];

const keyBytes = 32;
const keyForm = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Parses keys in base64, with commas or white space between them. `where` is for the message of the
 * `SecretKeyError`.
 */
export function parseSecretKeys(text: string, where: string): SecretKeys {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const [first, ...others] = words.map((word) => {
    if (keyForm.test(word)) return createSecretKey(word, "base64");
    throw new SecretKeyError(
      `${where} holds no key: 32 random bytes in base64, as \`openssl rand -base64 32\` makes them`,
    );
  });
  if (first === undefined) throw new SecretKeyError(`${where} holds no key`);
  return [first, ...others];
}

/** Whether `parseSecretKeys` accepts the text. */
export function isSecretKeys(text: string): boolean {
  try {
    parseSecretKeys(text, "");
    return true;
  } catch {
    return false;
  }
}

/** Reads a key file. Throws `SecretKeyError` for a missing file and for one without keys. */
export function readSecretKeys(file: string): SecretKeys {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SecretKeyError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, error);
  }
  return parseSecretKeys(text, file);
}

export function newSecretKey(): KeyObject {
  return createSecretKey(randomBytes(keyBytes));
}

/** An id that distinguishes keys without revealing them. */
export function idOfSecretKey(key: KeyObject): string {
  return hash("sha256", key.export(), "buffer").toString("base64url").slice(0, 11);
}

/** Creates a file with a new key, readable by its owner alone, unless it exists. Throws `SecretKeyError` on failure. */
export function makeSecretKeyFile(file: string): void {
  if (existsSync(file)) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = writeDraft(file, [newSecretKey()]);
    try {
      linkSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new SecretKeyError(`${file} cannot be created: ${code}`, error);
  }
}

/** Puts a key first; the file is replaced atomically. */
export function addSecretKey(file: string, key: KeyObject): void {
  replaceKeys(file, [key, ...readSecretKeys(file)]);
}

/** Leaves the first key in the file and appends the others to another one, whose name it returns, for older backups. */
export function retireSecretKeys(file: string): string {
  const [first, ...others] = readSecretKeys(file);
  const retired = `${file}.retired`;
  const descriptor = openSync(retired, "a", 0o600);
  try {
    appendFileSync(descriptor, textOf(others));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  replaceKeys(file, [first]);
  return retired;
}

function replaceKeys(file: string, keys: readonly KeyObject[]): void {
  const draft = writeDraft(file, keys);
  try {
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const directory = openSync(dirname(file), "r");
  fsyncSync(directory);
  closeSync(directory);
}

function writeDraft(file: string, keys: readonly KeyObject[]): string {
  const draft = `${file}-${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, textOf(keys), { mode: 0o600, flush: true });
  return draft;
}

const textOf = (keys: readonly KeyObject[]): string =>
  keys.map((key) => `${key.export().toString("base64")}\n`).join("");
