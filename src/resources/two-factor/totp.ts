import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const stepSeconds = 30;
const digits = 6;
/** The length of a key of HMAC-SHA-1 (RFC 4226, section 4). */
const secretBytes = 20;
/**
 * Steps before and after the current one whose codes are good too, as clocks differ (RFC 6238, section 5.2).
 */
const tolerance = 1;
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A secret for an authenticator app, in base32. */
export function newTotpSecret(): string {
  let bits = "";
  for (const byte of randomBytes(secretBytes)) bits += byte.toString(2).padStart(8, "0");
  return bits.replaceAll(/.{5}/g, (five) => base32[Number.parseInt(five, 2)] ?? "");
}

/** The text of a secret's QR code. */
export function totpUri(secret: string, email: string, issuer: string): string {
  const query = new URLSearchParams({ secret, issuer, digits: String(digits), period: String(stepSeconds) });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query.toString()}`;
}

/** The step of time that a code is good for, later than `usedStep`; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date, usedStep: number): number | undefined {
  const current = Math.floor(now.getTime() / 1000 / stepSeconds);
  for (let step = current - tolerance; step <= current + tolerance; step += 1) {
    if (step > usedStep && isEqual(codeAt(secret, step), code)) return step;
  }
  return undefined;
}

export function totpCode(secret: string, now: Date): string {
  return codeAt(secret, Math.floor(now.getTime() / 1000 / stepSeconds));
}

/** RFC 4226, section 5.3. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", decode(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

function decode(secret: string): Buffer {
  const bits = secret
    .split("")
    .map((character) => base32.indexOf(character).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function isEqual(expected: string, sent: string): boolean {
  return expected.length === sent.length && timingSafeEqual(Buffer.from(expected), Buffer.from(sent));
}
