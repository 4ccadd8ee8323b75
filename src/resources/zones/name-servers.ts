import type { ZoneRow } from "../../storage/schema/zones.ts";

const firstNames = [
  "ada", "alan", "amir", "anna", "basil", "bella", "carl", "chloe", "dana", "dean", "elle", "emma", "finn",
  "gina", "hugo", "iris", "jade", "jonah", "kate", "karl", "lara", "leo", "linda", "luke", "maya", "merlin",
  "nina", "noah", "olga", "otto", "paul", "petra", "rita", "rob", "sara", "seth", "tess", "tim", "uma", "vera",
  "wade", "zoe",
] as const; // prettier-ignore

interface Configured {
  readonly vendor: string;
  readonly nameServers: readonly string[];
  /** The sets that zones may choose, the first with the number 1. */
  readonly nameServerSets: readonly (readonly string[])[];
}

type Chosen = Pick<ZoneRow, "account_id" | "name_server_set">;

/** The set of name servers that a zone has chosen, as long as there is one. */
export function chosenNameServers(
  { name_server_set: number }: Pick<Chosen, "name_server_set">,
  { nameServerSets }: Pick<Configured, "nameServerSets">,
): readonly string[] | undefined {
  return number === null ? undefined : nameServerSets[number - 1];
}

/**
 * The name servers that the service gives a zone: those of the set that it has chosen, the configured ones,
 * or a pair derived from the account's id, which all zones of an account have.
 */
export function nameServersOf(zone: Chosen, settings: Configured): readonly string[] {
  const { vendor, nameServers } = settings;
  const chosen = chosenNameServers(zone, settings);
  if (chosen !== undefined) return chosen;
  if (nameServers.length > 0) return nameServers;
  const seed = Number.parseInt(zone.account_id.slice(0, 8), 16);
  const first = seed % firstNames.length;
  const step = 1 + (Math.floor(seed / firstNames.length) % (firstNames.length - 1));
  const pair = [first, (first + step) % firstNames.length].toSorted((one, other) => one - other);
  return pair.map((index) => `${firstNames[index]}.ns.${vendor}.com`);
}
