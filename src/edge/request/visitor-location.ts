import { findField } from "../../core/expression/fields.ts";
import { LruMap } from "../../core/lru-map.ts";

/** The place of an address, as far as known. */
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
  /** The fields of rules that say it. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export type Locate = (address: string) => VisitorLocation;

/** The entries of all databases for an address. */
interface Located extends Omit<VisitorLocation, "fields"> {
  /** Only databases of cities have it: the ends of the names of fields, with their values. */
  readonly place?: Readonly<Record<string, string>>;
}

const keptMax = 10_000;

/** Asks databases in their order; each adds what those before did not have. What one throws is reported. */
export function createLocate(
  databases: readonly { readonly find: (address: string) => unknown }[],
  onFailure: (error: unknown) => void,
): Locate {
  const kept = new LruMap<string, VisitorLocation>(keptMax);
  return (address) => {
    const known = kept.get(address);
    if (known !== undefined) return known;
    let located: Located = {};
    for (const database of databases) {
      try {
        located = Object.assign(locationIn(database.find(address)), located);
      } catch (error) {
        onFailure(error);
      }
    }
    const { place: _, ...location } = { ...located, ...fieldsOf(located) };
    kept.set(address, location);
    return location;
  };
}

/** Reads an entry as the databases of MaxMind, DB-IP and ip-location-db have it. */
function locationIn(entry: unknown): Located {
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
    ...placeIn(record),
  };
}

/** Reads the place in an entry of a database of cities. */
function placeIn(record: Readonly<Record<string, unknown>>): Pick<Located, "place"> {
  const location = mapOf(record["location"]);
  const country = mapOf(record["country"])["iso_code"];
  const subdivisions = Array.isArray(record["subdivisions"]) ? record["subdivisions"].map(mapOf) : [];
  const [first = {}, second = {}] = subdivisions;
  const isoCode = ({ iso_code: code }: Readonly<Record<string, unknown>>) =>
    typeof code === "string" && isCode(country) ? `${country}-${code}` : undefined;
  const found = {
    city: englishName(record["city"]),
    lat: location["latitude"],
    lon: location["longitude"],
    metro_code: location["metro_code"],
    postal_code: mapOf(record["postal"])["code"],
    region: englishName(first),
    region_code: first["iso_code"],
    subdivision_1_iso_code: isoCode(first),
    subdivision_2_iso_code: isoCode(second),
    "timezone.name": location["time_zone"],
  };
  const told = Object.entries(found).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [],
  );
  return told.length === 0 ? {} : { place: Object.fromEntries(told) };
}

const englishName = (entry: unknown): unknown => mapOf(mapOf(entry)["names"])["en"];

const isCode = (value: unknown): value is string => typeof value === "string" && /^[a-z]{2}$/i.test(value);

const mapOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** The fields of a request that say where it comes from, if any is known. */
function fieldsOf({
  country,
  continent,
  isInEuropeanUnion,
  asn,
  place,
}: Located): Pick<VisitorLocation, "fields"> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({
    country,
    continent,
    is_in_european_union: isInEuropeanUnion,
    asnum: asn,
    ...place,
  })) {
    if (value === undefined) continue;
    fields[`ip.src.${name}`] = value;
    // The older name of some of them.
    if (findField(`ip.geoip.${name}`) !== undefined) fields[`ip.geoip.${name}`] = value;
  }
  return Object.keys(fields).length === 0 ? {} : { fields };
}
