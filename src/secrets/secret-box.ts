import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from "node:crypto";

import {
  idOfSecretKey,
  makeSecretKeyFile,
  newSecretKey,
  parseSecretKeys,
  readSecretKeys,
  SecretKeyError,
  type SecretKeys,
} from "./secret-keys.ts";
import type { Sealed } from "../storage/schema/table.ts";

export { SecretKeyError } from "./secret-keys.ts";

/**
 * Encrypts secrets that are stored and have to be read again: private keys, and Global API Keys that their
 * users may view. Secrets that are only compared are hashed instead. It also authenticates data that browsers
 * keep for the server.
 */
export interface SecretBox {
  /**
   * Encrypts a secret. `place` says where it is stored, `pack_certificates.private_key <id>`; it can be
   * opened for that place only. Throws `SecretKeyError` where there is no key.
   */
  seal(secret: string, place: string): Sealed;
  /** Decrypts a secret. Throws `SecretKeyError` for one that was sealed by another key or for another place. */
  open(sealed: Sealed, place: string): string;
  /**
   * Seals a secret again, by the first of the keys; undefined where it is so already. Throws as `open` and
   * `seal` do.
   */
  reseal(sealed: Sealed, place: string): Sealed | undefined;
  /**
   * A MAC (HMAC-SHA-256, in base64url) of data that others keep for the server, under a key that is derived
   * for `purpose`. Throws `SecretKeyError` where there is no key.
   */
  sign(text: string, purpose: string): string;
  /** The MACs of a text by each of the keys, that of `sign` first. Throws as `sign` does. */
  signAll(text: string, purpose: string): readonly string[];
  /** Whether `sign` made the MAC of the text, with any of the keys. Throws as `sign` does. */
  isSigned(text: string, mac: string, purpose: string): boolean;
}

/** The public message of a `SecretKeyError`. */
export const secretKeyNotice =
  "The server cannot read its secret key: its operator has to set or restore `secret_key_file`.";

/**
 * The place of the key: given as text, in a file of the operator, in a file that is made when first needed,
 * in memory for one run, or absent.
 */
export type SecretKeySource =
  | { readonly kind: "given"; readonly keys: string }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "made"; readonly file: string }
  | { readonly kind: "memory" }
  | { readonly kind: "none" };

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const version = "v1";

/**
 * Creates a box. It reads (or creates) the key file at every use, so that a server follows `zoneward secrets rotate`.
 */
export function createSecretBox(source: SecretKeySource): SecretBox {
  const known = keysThatStay(source);
  const firstKey = (): KeyObject => {
    if (source.kind === "made") makeSecretKeyFile(source.file);
    return (known ?? findKeys(source))[0];
  };
  return {
    seal: (secret, place) => seal(firstKey(), secret, place),
    open: (sealed, place) => open(known ?? findKeys(source), sealed, place),
    reseal: (sealed, place) => {
      const keys = known ?? findKeys(source);
      return keyIdOf(sealed) === idOfSecretKey(keys[0])
        ? undefined
        : seal(keys[0], open(keys, sealed, place), place);
    },
    sign: (text, purpose) => macOf(firstKey(), text, purpose).toString("base64url"),
    signAll: (text, purpose) => {
      firstKey();
      return (known ?? findKeys(source)).map((key) => macOf(key, text, purpose).toString("base64url"));
    },
    isSigned: (text, mac, purpose) => {
      const sent = Buffer.from(mac, "base64url");
      return (known ?? findKeys(source)).some((key) => {
        const expected = macOf(key, text, purpose);
        return sent.length === expected.length && timingSafeEqual(sent, expected);
      });
    },
  };
}

/** The reason why `file` holds no secret key; undefined where it does. */
export function secretKeyIssue(file: string): string | undefined {
  try {
    readSecretKeys(file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function keysThatStay(source: SecretKeySource): SecretKeys | undefined {
  if (source.kind === "memory") return [newSecretKey()];
  return source.kind === "given" ? parseSecretKeys(source.keys, "`secret_key`") : undefined;
}

function findKeys(source: SecretKeySource): SecretKeys {
  if (source.kind === "file" || source.kind === "made") return readSecretKeys(source.file);
  throw new SecretKeyError(
    "secrets are stored encrypted: with PostgreSQL, `secret_key_file` must name the file with the key, or `secret_key` must hold it",
  );
}

const keyIdOf = (sealed: Sealed): string | undefined => sealed.split(".")[1];

/** Encrypts to `v1.<id of the key>.<nonce, ciphertext and tag in base64url>`. */
function seal(key: KeyObject, secret: string, place: string): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${idOfSecretKey(key)}.${sealed.toString("base64url")}` as Sealed;
}

function macOf(key: KeyObject, text: string, purpose: string): Buffer {
  const derived = Buffer.from(hkdfSync("sha256", key, "", purpose, 32));
  return createHmac("sha256", derived).update(text).digest();
}

function open(keys: SecretKeys, sealed: Sealed, place: string): string {
  const [writtenBy, keyId, text = ""] = sealed.split(".");
  const key = keys.find((each) => idOfSecretKey(each) === keyId);
  if (writtenBy !== version || key === undefined) {
    throw new SecretKeyError(
      "a stored secret was encrypted with a different secret key; restore the file of that key",
    );
  }
  const bytes = Buffer.from(text, "base64url");
  const nonce = bytes.subarray(0, nonceBytes);
  try {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-tagBytes));
    const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([secret, decipher.final()]).toString("utf8");
  } catch (error) {
    throw new SecretKeyError("a stored secret was changed, or moved from where it was stored", error);
  }
}
