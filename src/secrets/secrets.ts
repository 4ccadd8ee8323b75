import { hash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const tokenPrefix = "zw_";
const randomCharacters = 31;
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Hashes a secret. A fast hash is enough, as secrets are long and random. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** A Global API Key: 37 lower-case hexadecimal characters. */
export function newGlobalApiKey(): string {
  return randomBytes(19).toString("hex").slice(0, 37);
}

/** The id of a session, or the token of a sign-in link: 256 random bits in 43 characters. */
export function newSessionSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The secret of a token: 40 characters, the last 6 a checksum of those before (docs/decisions/0015-secrets.md). */
export function newTokenSecret(): string {
  const random = Array.from({ length: randomCharacters }, () => base62[randomInt(base62.length)]).join("");
  return withChecksum(tokenPrefix + random);
}

/** Whether a token can have this secret; operators may choose one. */
export function isTokenSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{40,80}$/.test(text) && !isMistypedTokenSecret(text);
}

/** Whether a text has the form of a secret that was made here, but a wrong checksum. */
export function isMistypedTokenSecret(secret: string): boolean {
  if (!secret.startsWith(tokenPrefix)) return false;
  return secret !== withChecksum(secret.slice(0, tokenPrefix.length + randomCharacters));
}

/** Appends the CRC-32 in six digits of base 62. */
function withChecksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = (base62[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return text + digits;
}
