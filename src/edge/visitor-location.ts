import { LruMap } from "../core/lru-map.ts";

/** Where an address is, as far as known. */
export interface VisitorLocation {
  /** Two letters, in upper case. */
  readonly country?: string;
  /** Two letters, in upper case. */
  readonly continent?: string;
  readonly isInEuropeanUnion?: boolean;
  /** Number of the autonomous system. */
  readonly asn?: number;
  /** Name of its owner. */
  readonly asnDescription?: string;
}

export type Locate = (address: string) => VisitorLocation;

const nowhere: VisitorLocation = {};
const keptMax = 10_000;

/** Asks databases in their order; each adds what those before did not have. What one throws is reported. */
export function createLocate(
  databases: readonly { readonly find: (address: string) => unknown }[],
  onFailure: (error: unknown) => void,
): Locate {
  if (databases.length === 0) return () => nowhere;
  const kept = new LruMap<string, VisitorLocation>(keptMax);
  return (address) => {
    let location = kept.get(address);
    if (location !== undefined) return location;
    location = nowhere;
    for (const database of databases) {
      try {
        location = { ...locationIn(database.find(address)), ...location };
      } catch (error) {
        onFailure(error);
      }
    }
    kept.set(address, location);
    return location;
  };
}

/** Reads an entry as the databases of MaxMind, DB-IP and ip-location-db have it. */
function locationIn(entry: unknown): VisitorLocation {
  const record = mapOf(entry);
  const country = mapOf(record["country"]);
  const code = country["iso_code"] ?? record["country_code"];
  const continent = mapOf(record["continent"])["code"];
  const asn = record["autonomous_system_number"];
  const asnDescription = record["autonomous_system_organization"];
  return {
    ...(isCode(code) && { country: code.toUpperCase() }),
    ...(isCode(continent) && { continent: continent.toUpperCase() }),
    // The databases that have it leave it out where it is not so.
    ...(isCode(country["iso_code"]) && { isInEuropeanUnion: country["is_in_european_union"] === true }),
    ...(typeof asn === "number" && { asn }),
    ...(typeof asnDescription === "string" && { asnDescription }),
  };
}

const isCode = (value: unknown): value is string => typeof value === "string" && /^[a-z]{2}$/i.test(value);

const mapOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** The fields of a request that say where it comes from; undefined without any. */
export function locationFields({
  country,
  continent,
  isInEuropeanUnion,
  asn,
}: VisitorLocation): Readonly<Record<string, unknown>> | undefined {
  if (country === undefined && continent === undefined && asn === undefined) return undefined;
  const known = Object.entries({ country, continent, is_in_european_union: isInEuropeanUnion, asnum: asn });
  const given = known.filter(([, value]) => value !== undefined);
  // `ip.geoip` is the older name of the same fields.
  return Object.fromEntries(
    given.flatMap(([name, value]) => [
      [`ip.src.${name}`, value],
      [`ip.geoip.${name}`, value],
    ]),
  );
}
