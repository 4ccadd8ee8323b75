import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** What visitors keep for the edge: they can neither read nor change it. Of the keys, of 32 bytes, the first seals. */
export class Seals {
  readonly #keys: () => readonly Buffer[];

  constructor(keys: () => readonly Buffer[]) {
    this.#keys = keys;
  }

  /** Seals a JSON value, in base64url. It opens for the same purpose only. */
  seal(value: unknown, purpose: string): string {
    const [key] = this.#keys();
    if (key === undefined) throw new Error("there is no key to seal with");
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
    const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString("base64url");
  }

  /** The value; undefined for what none of the keys sealed for the purpose. */
  open(sealed: string, purpose: string): unknown {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < nonceBytes + tagBytes) return undefined;
    for (const key of this.#keys()) {
      const text = opened(bytes, key, purpose);
      if (text !== undefined) return JSON.parse(text) as unknown;
    }
    return undefined;
  }
}

function opened(bytes: Buffer, key: Buffer, purpose: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
