import { canonicalIpv4, canonicalIpv6 } from "../../net/ip-address.ts";
import { decodeCharacterString, encodeCharacterString, splitTokens } from "./character-string.ts";
import { base64Octets, parseBase64 } from "./fields.ts";

/**
 * A service parameter; `value` holds octets and is empty for a parameter without one. In that of `alpn` a backslash
 * stands before each comma and backslash of an id (RFC 9460 appendix A.1).
 */
interface SvcParam {
  readonly key: string;
  readonly value: string;
}

interface SvcParamKind {
  readonly number: number;
  /** The canonical value, or undefined when it does not fit. */
  readonly read: (value: string) => string | undefined;
  readonly octets: (value: string) => number;
}

const flag = {
  read: (value: string) => (value === "" ? value : undefined),
  octets: () => 0,
};

// RFC 9460 section 14.3.2; dohpath from RFC 9461, ohttp from RFC 9540.
const paramKinds: Readonly<Record<string, SvcParamKind>> = {
  mandatory: { number: 0, read: readMandatory, octets: (value) => items(value).length * 2 },
  alpn: {
    number: 1,
    read: readAlpnIds,
    octets: (value) => splitValueList(value).reduce((sum, id) => sum + 1 + id.length, 0),
  },
  "no-default-alpn": { number: 2, ...flag },
  port: { number: 3, read: readPort, octets: () => 2 },
  ipv4hint: { number: 4, read: listOf(canonicalIpv4), octets: (value) => items(value).length * 4 },
  ech: { number: 5, read: parseBase64, octets: base64Octets },
  ipv6hint: { number: 6, read: listOf(canonicalIpv6), octets: (value) => items(value).length * 16 },
  dohpath: { number: 7, read: readDohPath, octets: (value) => value.length },
  ohttp: { number: 8, ...flag },
};

const namedNumbers = new Set(Object.values(paramKinds).map(({ number }) => number));
const numberedKey = /^key(0|[1-9]\d{0,4})$/;
const reservedNumber = 65535;
const headerOctets = 4;

/**
 * Service parameters of an HTTPS or SVCB record (`alpn=h2 port=8443`) with their values quoted, `""` for none, in the
 * order of the input; an empty text when there are none. Undefined when a key is unknown or given twice, a
 * value does not fit its key, or the parameters contradict each other (RFC 9460 sections 2.1, 7 and 8).
 */
export function parseSvcParams(text: string): string | undefined {
  return readParams(text)?.map(renderParam).join(" ");
}

/** Octets on the wire of a result of `parseSvcParams`. */
export function svcParamsOctets(text: string): number {
  const params = readParams(text) ?? [];
  return params.reduce((sum, { key, value }) => sum + headerOctets + (kindOf(key)?.octets(value) ?? 0), 0);
}

/** The parameters of a `parseSvcParams` result in the order of the wire, for comparison. Stores hold hashes of it. */
export function svcParamsIdentity(text: string): string {
  return sortedParams(text)
    .map((param) => (param.value === "" ? param.key : renderParam(param)))
    .join(" ");
}

export interface NumberedParam {
  readonly number: number;
  /** In presentation format, its escapes resolved to octets; a list as `splitValueList` reads it. */
  readonly value: string;
}

/** The parameters of a `parseSvcParams` result in the order of the wire. */
export function numberedParams(text: string): NumberedParam[] {
  return sortedParams(text).map(({ key, value }) => ({ number: numberOfKey(key), value }));
}

/** The number of a key that `parseSvcParams` knows. */
export function numberOfKey(key: string): number {
  return kindOf(key)?.number ?? 0;
}

/** The key of a number, as `parseSvcParams` reads it. */
export function keyOfNumber(number: number): string {
  const named = Object.entries(paramKinds).find(([, kind]) => kind.number === number);
  return named?.[0] ?? `key${number}`;
}

function sortedParams(text: string): SvcParam[] {
  return (readParams(text) ?? []).toSorted((a, b) => byNumber(a.key, b.key));
}

function readParams(text: string): SvcParam[] | undefined {
  const tokens = text.trim() === "" ? [] : splitTokens(text);
  const params = tokens?.map(readParam) ?? [undefined];
  return params.every((param) => param !== undefined) && areConsistent(params) ? params : undefined;
}

function readParam(token: string): SvcParam | undefined {
  const [, key = "", presented = ""] = /^([a-z0-9-]{1,63})(?:=(.*))?$/s.exec(token) ?? [];
  const octets = decodeCharacterString(presented);
  const value = octets === undefined ? undefined : kindOf(key)?.read(octets);
  return value === undefined ? undefined : { key, value };
}

function renderParam({ key, value }: SvcParam): string {
  return `${key}=${encodeCharacterString(value)}`;
}

function areConsistent(params: readonly SvcParam[]): boolean {
  const values = new Map(params.map(({ key, value }) => [key, value]));
  const mandatory = values.get("mandatory");
  return (
    values.size === params.length &&
    (mandatory === undefined || items(mandatory).every((key) => values.has(key))) &&
    (!values.has("no-default-alpn") || values.has("alpn"))
  );
}

function kindOf(key: string): SvcParamKind | undefined {
  if (Object.hasOwn(paramKinds, key)) return paramKinds[key];
  const number = Number(numberedKey.exec(key)?.[1] ?? reservedNumber);
  if (number >= reservedNumber || namedNumbers.has(number)) return undefined;
  return { number, read: (value) => value, octets: (value) => value.length };
}

function byNumber(a: string, b: string): number {
  return numberOfKey(a) - numberOfKey(b);
}

function items(list: string): string[] {
  return list.split(",");
}

function listOf(readItem: (item: string) => string | undefined): (list: string) => string | undefined {
  return (list) => {
    const read = items(list).map(readItem);
    return read.includes(undefined) ? undefined : read.join(",");
  };
}

/** Keys in ascending order, as on the wire; `mandatory` itself is never one (RFC 9460 section 8). */
function readMandatory(list: string): string | undefined {
  const keys = items(list);
  const areOthers = keys.every((key) => key !== "mandatory" && kindOf(key) !== undefined);
  return areOthers && new Set(keys).size === keys.length ? keys.toSorted(byNumber).join(",") : undefined;
}

const valueList = /^(?:[^,\\]|\\[,\\])+(?:,(?:[^,\\]|\\[,\\])+)*$/s;
const listItems = /(?:[^,\\]|\\[,\\])+/gs;

function readAlpnIds(list: string): string | undefined {
  const areIds = valueList.test(list) && splitValueList(list).every((id) => id.length <= 255);
  return areIds ? list : undefined;
}

/** The items of a list whose commas and backslashes inside of items have a backslash before them. */
export function splitValueList(list: string): string[] {
  return (list.match(listItems) ?? []).map((item) => item.replace(/\\(.)/gs, "$1"));
}

/** The list that `splitValueList` splits into these items. */
export function joinValueList(list: readonly string[]): string {
  return list.map((item) => item.replace(/[,\\]/g, String.raw`\$&`)).join(",");
}

function readPort(port: string): string | undefined {
  return /^\d{1,5}$/.test(port) && Number(port) <= 65535 ? String(Number(port)) : undefined;
}

/** A relative URI template with the variable `dns` (RFC 9461 section 5). */
function readDohPath(path: string): string | undefined {
  const variables = path.match(/\{[^{}]*\}/g) ?? [];
  return /^\/[!-~]*$/.test(path) && variables.some((variable) => /\bdns\b/.test(variable)) ? path : undefined;
}
