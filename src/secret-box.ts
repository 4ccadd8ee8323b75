import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import type { Sealed } from "./storage/columns.ts";

/** Encrypts what is stored and must be read again: private keys (decision 3). What is only compared is hashed. */
export interface SecretBox {
  /**
   * `place` says where the secret is stored, `certificates.private_key <id>`: nowhere else does it open.
   * Throws `SecretKeyError` where there is no key.
   */
  seal(secret: string, place: string): Sealed;
  /** Throws `SecretKeyError` for what another key sealed, or for another place. */
  open(sealed: Sealed, place: string): string;
}

/** What others than the operator learn of a `SecretKeyError`. */
export const secretKeyNotice =
  "The server cannot read its secret key: its operator has to set or restore `secret_key_file`.";

/** The operator has to do something about the key; the message says what, and holds nothing secret. */
export class SecretKeyError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SecretKeyError";
  }
}

/**
 * Where the key is: in a file of the operator, in one that is made at the first need, in memory for one run, or
 * nowhere.
 */
export type SecretKeySource =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "made"; readonly file: string }
  | { readonly kind: "memory" }
  | { readonly kind: "none" };

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = "v1";
const keyForm = /^[A-Za-z0-9+/]{43}=$/;

/** A box whose key is read, or made, when it is first needed. */
export function createSecretBox(source: SecretKeySource): SecretBox {
  let known: KeyObject | undefined;
  const key = (): KeyObject => (known ??= findKey(source));
  // What is sealed has a key: one that is missing must be found, not made.
  const keyToOpen = (): KeyObject => (source.kind === "made" ? (known ??= readKey(source.file)) : key());
  return {
    seal: (secret, place) => seal(key(), secret, place),
    open: (sealed, place) => open(keyToOpen(), sealed, place),
  };
}

/** Why `file` holds no secret key; undefined where it does. */
export function secretKeyMistake(file: string): string | undefined {
  try {
    readKey(file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function findKey(source: SecretKeySource): KeyObject {
  switch (source.kind) {
    case "file":
      return readKey(source.file);
    case "made":
      makeKey(source.file);
      return readKey(source.file);
    case "memory":
      return createSecretKey(randomBytes(keyBytes));
    case "none":
      throw new SecretKeyError(
        "private keys are stored encrypted: beside PostgreSQL, `secret_key_file` has to name the file of the key",
      );
  }
}

/** The file appears whole or not at all, and the first of several processes makes it. */
function makeKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}-${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, `${randomBytes(keyBytes).toString("base64")}\n`, { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKey(file: string): KeyObject {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new SecretKeyError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`, error);
  }
  if (!keyForm.test(text)) {
    throw new SecretKeyError(
      `${file} holds no key: 32 random bytes in base64, as \`openssl rand -base64 32\` makes them`,
    );
  }
  return createSecretKey(text, "base64");
}

/** Tells keys apart without saying anything about them. */
function idOf(key: KeyObject): string {
  return hash("sha256", key.export(), "buffer").toString("base64url").slice(0, 11);
}

/** `v1.<id of the key>.<nonce, ciphertext and tag in base64url>` */
function seal(key: KeyObject, secret: string, place: string): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${idOf(key)}.${sealed.toString("base64url")}` as Sealed;
}

function open(key: KeyObject, sealed: Sealed, place: string): string {
  const [form, keyId, text = ""] = sealed.split(".");
  if (form !== version || keyId !== idOf(key)) {
    throw new SecretKeyError(
      "a stored private key was encrypted with another secret key than this one; restore its file",
    );
  }
  const bytes = Buffer.from(text, "base64url");
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([secret, decipher.final()]).toString("utf8");
  } catch (error) {
    throw new SecretKeyError("a stored private key was changed, or moved from where it was stored", error);
  }
}
