const firstNames = [
  "ada", "alan", "amir", "anna", "basil", "bella", "carl", "chloe", "dana", "dean", "elle", "emma", "finn",
  "gina", "hugo", "iris", "jade", "jonah", "kate", "karl", "lara", "leo", "linda", "luke", "maya", "merlin",
  "nina", "noah", "olga", "otto", "paul", "petra", "rita", "rob", "sara", "seth", "tess", "tim", "uma", "vera",
  "wade", "zoe",
] as const; // prettier-ignore

/** The configured name servers, or a pair derived from the account's id: all zones of an account have the same. */
export function nameServersOf(
  accountId: string,
  { vendor, nameServers }: { readonly vendor: string; readonly nameServers: readonly string[] },
): readonly string[] {
  if (nameServers.length > 0) return nameServers;
  const seed = Number.parseInt(accountId.slice(0, 8), 16);
  const first = seed % firstNames.length;
  const step = 1 + (Math.floor(seed / firstNames.length) % (firstNames.length - 1));
  const pair = [first, (first + step) % firstNames.length].toSorted((one, other) => one - other);
  return pair.map((index) => `${firstNames[index]}.ns.${vendor}.com`);
}
