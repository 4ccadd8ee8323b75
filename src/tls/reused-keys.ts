import { createKeyPair, type CreateKeyPair } from "./local-ca.ts";

/**
 * Makes at most `keysMax` RSA keys and gives them out again in turn, as each takes a tenth of a second; keys
 * of other types are always new. For certificates that protect nothing.
 */
export function reuseRsaKeys(keysMax: number): CreateKeyPair {
  const made: ReturnType<CreateKeyPair>[] = [];
  let given = 0;
  return (type) => {
    if (type !== "rsa") return createKeyPair(type);
    const turn = given % keysMax;
    given += 1;
    return (made[turn] ??= createKeyPair(type));
  };
}
