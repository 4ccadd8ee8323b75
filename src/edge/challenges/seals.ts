import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** What visitors keep for the edge: they can neither read nor change it. The key has 32 bytes. */
export class Seals {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Seals a JSON value, in base64url. It opens for the same purpose only. */
  seal(value: unknown, purpose: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(purpose));
    const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString("base64url");
  }

  /** The value; undefined for what this key did not seal for the purpose. */
  open(sealed: string, purpose: string): unknown {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < nonceBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      const opened = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return JSON.parse(Buffer.concat([opened, decipher.final()]).toString("utf8")) as unknown;
    } catch {
      return undefined;
    }
  }
}
