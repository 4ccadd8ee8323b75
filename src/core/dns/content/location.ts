import { decimalNumber, type Field, type FieldProblem, oneOf, wholeNumber } from "./fields.ts";
import type { Data } from "./record-types.ts";

const seconds = decimalNumber(0, 59.999, 3);
const metres = decimalNumber(0, 90_000_000, 2);

/** Fields of a LOC record: degrees, minutes, seconds of arc; metres. */
export const locationFields: readonly Field[] = [
  { name: "lat_degrees", kind: wholeNumber(90) },
  { name: "lat_minutes", kind: wholeNumber(59), fallback: 0 },
  { name: "lat_seconds", kind: seconds, fallback: 0 },
  { name: "lat_direction", kind: oneOf("N", "S") },
  { name: "long_degrees", kind: wholeNumber(180) },
  { name: "long_minutes", kind: wholeNumber(59), fallback: 0 },
  { name: "long_seconds", kind: seconds, fallback: 0 },
  { name: "long_direction", kind: oneOf("E", "W") },
  { name: "altitude", kind: decimalNumber(-100_000, 42_849_672.95, 2) },
  { name: "size", kind: metres, fallback: 0 },
  { name: "precision_horz", kind: metres, fallback: 0 },
  { name: "precision_vert", kind: metres, fallback: 0 },
];

const angle = (prefix: string, directions: string) =>
  String.raw`(?<${prefix}_degrees>\d+)(?: (?<${prefix}_minutes>\d+)(?: (?<${prefix}_seconds>\d+(?:\.\d+)?))?)?` +
  ` (?<${prefix}_direction>[${directions}])`;
const length = (name: string) => String.raw` (?<${name}>-?\d+(?:\.\d+)?)M?`;
const presentation = new RegExp(
  `^${angle("lat", "NS")} ${angle("long", "EW")}${length("altitude")}` +
    `(?:${length("size")}(?:${length("precision_horz")}(?:${length("precision_vert")})?)?)?$`,
);

// The defaults in a zone file (RFC 1876 section 3). In `data` they are 0.
const presentationDefaults = { size: 1, precision_horz: 10_000, precision_vert: 10 };

const sizes = ["size", "precision_horz", "precision_vert"];
const arcOfDegree = 3_600_000;
const angleLimits = [
  { prefix: "lat", degrees: 90 },
  { prefix: "long", degrees: 180 },
];

/** Field values of `d [m [s]] N|S d [m [s]] E|W alt[m] [size[m] [hp[m] [vp[m]]]]` (RFC 1876 section 3). */
export function locationFromTokens(tokens: readonly string[]): Record<string, unknown> | undefined {
  const groups = presentation.exec(tokens.join(" ").toUpperCase())?.groups;
  if (groups === undefined) return undefined;
  const given = Object.entries(groups).filter(([, text]) => text !== undefined);
  const values = given.map(([name, text]) => [name, name.endsWith("_direction") ? text : Number(text)]);
  return { ...presentationDefaults, ...Object.fromEntries(values) };
}

/** Content of a LOC record with every part written out; the unit of the lengths is implied, as RFC 1876 allows. */
export function locationToContent(data: Data): string {
  const angles = ["lat", "long"].flatMap((prefix) => [
    data[`${prefix}_degrees`],
    data[`${prefix}_minutes`],
    Number(data[`${prefix}_seconds`]).toFixed(3),
    data[`${prefix}_direction`],
  ]);
  const lengths = ["altitude", ...sizes].map((name) => Number(data[name]).toFixed(2));
  return [...angles, ...lengths].join(" ");
}

/** The field that places a location beyond a pole or the 180th meridian, which the ranges alone allow. */
export function locationConflict(data: Data): FieldProblem | undefined {
  const beyond = angleLimits.find(
    ({ prefix, degrees }) => Math.abs(arc(data, prefix)) > degrees * arcOfDegree,
  );
  return (
    beyond && {
      field: `${beyond.prefix}_degrees`,
      expectation: `less than ${beyond.degrees} with minutes or seconds`,
    }
  );
}

/** The octets of a location as numbers: sizes keep only their first digit there (RFC 1876 section 2). */
export function locationIdentity(data: Data): readonly (number | string)[] {
  const { latitude, longitude, altitude, sizes: rounded } = locationNumbers(data);
  return [latitude, longitude, altitude, ...rounded.map(({ digit, power }) => `${digit}e${power}`)];
}

export interface LocationNumbers {
  /** Thousandths of a second of arc, negative in the south and west. */
  readonly latitude: number;
  readonly longitude: number;
  /** Centimetres above the reference spheroid. */
  readonly altitude: number;
  /** Size and precisions, horizontal and vertical: a first digit and the power of ten of the centimetres. */
  readonly sizes: readonly { readonly digit: number; readonly power: number }[];
}

export function locationNumbers(data: Data): LocationNumbers {
  return {
    latitude: arc(data, "lat"),
    longitude: arc(data, "long"),
    altitude: centimetres(data, "altitude"),
    sizes: sizes.map((name) => {
      const digits = String(centimetres(data, name));
      return { digit: Number(digits[0]), power: digits.length - 1 };
    }),
  };
}

/** The fields of a location; the inverse of `locationNumbers`. */
export function locationData({ latitude, longitude, altitude, sizes: lengths }: LocationNumbers): Data {
  return {
    ...angleFields("lat", latitude, latitude < 0 ? "S" : "N"),
    ...angleFields("long", longitude, longitude < 0 ? "W" : "E"),
    altitude: altitude / 100,
    ...Object.fromEntries(
      sizes.map((name, index) => {
        const { digit, power } = lengths[index] ?? { digit: 0, power: 0 };
        return [name, (digit * 10 ** power) / 100];
      }),
    ),
  };
}

function angleFields(prefix: string, arcs: number, direction: string): Data {
  const size = Math.abs(arcs);
  return {
    [`${prefix}_degrees`]: Math.floor(size / arcOfDegree),
    [`${prefix}_minutes`]: Math.floor((size % arcOfDegree) / 60_000),
    [`${prefix}_seconds`]: (size % 60_000) / 1000,
    [`${prefix}_direction`]: direction,
  };
}

/** Thousandths of a second of arc, negative in the south and west. */
function arc(data: Data, prefix: string): number {
  const part = (name: string) => Number(data[`${prefix}_${name}`]);
  const size = Math.round(part("degrees") * arcOfDegree + part("minutes") * 60_000 + part("seconds") * 1000);
  return ["S", "W"].includes(String(data[`${prefix}_direction`])) ? -size : size;
}

function centimetres(data: Data, name: string): number {
  return Math.round(Number(data[name]) * 100);
}
