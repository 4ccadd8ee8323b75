import { hash, randomBytes } from "node:crypto";

/** What is stored of a secret (decision 15): it is random and long, so a fast hash is the right one. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** A Global API Key: 37 lower-case hexadecimal characters (decision 15). */
export function newGlobalApiKey(): string {
  return randomBytes(19).toString("hex").slice(0, 37);
}
