import { randomInt } from "node:crypto";

import { hashSecret } from "../../secrets/secrets.ts";

const count = 10;
/** 16 out of 32 characters: 80 bits, which need no slow hash. */
const characters = 16;
/** Without those that are taken for others. */
const alphabet = "abcdefghjkmnpqrstuvwxyz123456789";

/** New codes: `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const code = Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join("");
    return code.replaceAll(/.{4}(?=.)/g, "$&-");
  });
}

/** The hash under which a code is stored, however it was typed. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}
