import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import type { VisitorRequest } from "../request/visitor-request.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Authenticated encryption of what visitors store for the edge. Keys are of 32 bytes: the first encrypts, any
 * of them decrypts.
 */
export class Seals {
  readonly #keys: () => readonly Buffer[];

  constructor(keys: () => readonly Buffer[]) {
    this.#keys = keys;
  }

  /** Encrypts a JSON value, in base64url. Only `open` with the same purpose decrypts it. */
  seal(value: unknown, purpose: string): string {
    const [key] = this.#keys();
    if (key === undefined) throw new Error("there is no key to seal with");
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
    const parts = [nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString("base64url");
  }

  /** The value; undefined for a text that was not sealed for this purpose by one of the keys. */
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

/** The attributes with which a page of another site can show one of the zone within it, as far as the scheme allows. */
export function sameSiteOf({ isSecure }: Pick<VisitorRequest, "isSecure">): string {
  return isSecure ? "SameSite=None; Secure" : "SameSite=Lax";
}
