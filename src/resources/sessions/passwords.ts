import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { promisify } from "node:util";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";

/** In characters; the maximum bounds the work of hashing. */
export const passwordLength = { min: 12, max: 256 } as const;

const deriveKey = promisify(argon2);

/** The recommendation of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Compared with where there is no password, so that the answer takes as long. */
const dummyHash = format(cost, randomBytes(saltBytes), randomBytes(tagBytes));

/** Errors: 400 code 1003 with `pointer`. */
export function refuseShortPassword(password: string, pointer: string): void {
  if (password.length >= passwordLength.min) return;
  throw invalidRequest(
    errorCodes.request.invalid,
    `The password needs at least ${passwordLength.min} characters`,
    pointer,
  );
}

/** The hash of a password: Argon2id in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  return format(cost, nonce, await derive(password, { ...cost, nonce, tagLength: tagBytes }));
}

/** Whether the password has this hash. Takes as long without a hash, and returns false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] = form.exec(hash ?? dummyHash) ?? [];
  const expected = Buffer.from(tag, "base64");
  const derived = await derive(password, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, "base64"),
    tagLength: expected.length,
  });
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

/** Normalized, as keyboards compose characters differently (NIST SP 800-63B). */
function derive(password: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
  return deriveKey("argon2id", { ...parameters, message: password.normalize("NFKC") });
}

function format({ memory, passes, parallelism }: typeof cost, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`;
}
