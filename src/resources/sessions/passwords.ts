import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { promisify } from "node:util";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";

/** In characters. The upper bound keeps what is hashed small. */
export const passwordLength = { min: 12, max: 256 } as const;

const deriveKey = promisify(argon2);

/** What OWASP's Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Compared with if there is no password, so that the answer takes as long. */
const dummyHash = format(cost, randomBytes(saltBytes), randomBytes(tagBytes));

/** Errors: 400 code 1003 with `pointer` for a password that is too short. */
export function refuseShortPassword(password: string, pointer: string): void {
  if (password.length >= passwordLength.min) return;
  throw new AppError(
    "invalid",
    errorCodes.request.invalid,
    `The password needs at least ${passwordLength.min} characters`,
    {
      pointer,
    },
  );
}

/** What is stored of a password: Argon2id in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  return format(cost, nonce, await derive(password, { ...cost, nonce, tagLength: tagBytes }));
}

/** Whether `hash` is of this password. Without a hash it takes as long, and is not. */
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

/** The same characters are one password however a keyboard composes them (NIST SP 800-63B). */
function derive(password: string, parameters: Omit<Argon2Parameters, "message">): Promise<Buffer> {
  return deriveKey("argon2id", { ...parameters, message: password.normalize("NFKC") });
}

function format({ memory, passes, parallelism }: typeof cost, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`;
}
