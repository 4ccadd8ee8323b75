import type { BytesLiteral, Literal, Notation, PatternLiteral } from "./ast.ts";
import { encodeText } from "./byte-string.ts";
import { parseIpAddress, type IpAddress } from "../net/ip-address.ts";
import type { Reader } from "./reader.ts";
import type { ScalarType } from "./value-type.ts";

const hexadecimalDigits = /[0-9A-Fa-f]+/y;
const addressCharacters = /[0-9A-Fa-f:./]+/y;
const listNameCharacters = /[a-z0-9_.]+/y;

const intMin = -(2n ** 63n);
const intMax = 2n ** 63n - 1n;
const hashesMax = 255;

/** Reads a literal. Throws ExpressionError. */
export function readLiteral(reader: Reader, type: ScalarType): Literal {
  if (type === "Int") return { kind: "int", value: readInt(reader) };
  if (type === "Ip") return { kind: "ip", value: readAddress(reader) };
  return readBytes(reader);
}

/** Reads a 64-bit integer: decimal, `0x` hexadecimal, or octal after a 0. */
export function readInt(reader: Reader): bigint {
  if (reader.take("0x")) return readDigits(reader, 16, reader.position);
  const start = reader.position;
  if (reader.startsWith("0")) return readDigits(reader, 8, start);
  reader.take("-");
  return readDigits(reader, 10, start);
}

const digitsOfRadix = { 8: /^[0-7]+$/, 10: /^-?[0-9]+$/, 16: /^[0-9A-Fa-f]+$/ } as const;

// Consumes hexadecimal digits in any radix, so that errors show the whole number.
function readDigits(reader: Reader, radix: 8 | 10 | 16, start: number): bigint {
  reader.takeWhile(hexadecimalDigits, "digit");
  const digits = reader.source.slice(start, reader.position);
  const refused = (why: string): Error =>
    reader.error(`${why} while parsing with radix ${radix}`, start, reader.position);
  if (!digitsOfRadix[radix].test(digits)) throw refused("invalid digit found in string");
  const value = BigInt(radix === 10 ? digits : `0${radix === 8 ? "o" : "x"}${digits}`);
  if (value > intMax) throw refused("number too large to fit in target type");
  if (value < intMin) throw refused("number too small to fit in target type");
  return value;
}

function readAddress(reader: Reader): IpAddress {
  const start = reader.position;
  const text = reader.takeWhile(addressCharacters, "IP address character");
  return toAddress(reader, text, start);
}

export function readAddressCharacters(reader: Reader): string {
  return reader.takeWhile(addressCharacters, "IP address character");
}

/** Parses an address. Throws ExpressionError at `start`, where the text begins. */
export function toAddress(reader: Reader, text: string, start: number): IpAddress {
  const address = parseIpAddress(text);
  if (address !== undefined) return address;
  const reason = "couldn't parse address in network: invalid IP address syntax";
  throw reader.error(reason, start, start + text.length);
}

/** Reads a quoted string, a raw string, or octets. */
export function readBytes(reader: Reader): BytesLiteral {
  const next = reader.peek();
  if (next === '"' || next === "r") return readText(reader);
  if (next === "") throw reader.error("unrecognised input");
  return { kind: "bytes", value: readOctets(reader), notation: { kind: "octets" } };
}

export function readText(reader: Reader): BytesLiteral {
  if (reader.take('"')) {
    return { kind: "bytes", value: readQuoted(reader), notation: { kind: "quoted" } };
  }
  const { text, notation } = readRaw(reader);
  return { kind: "bytes", value: encodeText(text), notation };
}

function readQuoted(reader: Reader): string {
  const start = reader.position;
  let value = "";
  let character = "";
  while ((character = reader.takeCharacter()) !== '"') {
    if (character === "") throw reader.error("could not find an ending quote", start);
    value += character === "\\" ? readEscape(reader, start) : encodeText(character);
  }
  return value;
}

function readEscape(reader: Reader, start: number): string {
  const at = reader.position;
  const character = reader.takeCharacter();
  if (character === '"' || character === "\\") return character;
  if (character === "x") return readOctet(reader, 2, 16);
  if (character === "") throw reader.error("could not find an ending quote", start);
  if (character < "0" || character > "7") {
    throw reader.error('expected ", xHH or OOO after \\', at, reader.position);
  }
  reader.position = at;
  return readOctet(reader, 3, 8);
}

function readOctet(reader: Reader, digitCount: 2 | 3, radix: 8 | 16): string {
  const start = reader.position;
  for (let found = 0; found < digitCount; found += 1) {
    if (reader.takeCharacter() === "") {
      throw reader.error(`expected ${digitCount} characters, but found ${found}`, start);
    }
  }
  const digits = reader.source.slice(start, reader.position);
  const refused = (why: string): Error =>
    reader.error(`${why} while parsing with radix ${radix}`, start, reader.position);
  if (!digitsOfRadix[radix].test(digits)) throw refused("invalid digit found in string");
  const value = Number.parseInt(digits, radix);
  if (value > 255) throw refused("number too large to fit in target type");
  return String.fromCharCode(value);
}

const octetSeparators = new Set([":", "-", "."]);

function readOctets(reader: Reader): string {
  let value = readOctet(reader, 2, 16);
  if (reader.isAtEnd) throw reader.error("expected 1 characters, but found 0");
  if (!octetSeparators.has(reader.peek())) {
    const start = reader.position;
    reader.takeCharacter();
    throw reader.error("expected byte separator", start, reader.position);
  }
  while (octetSeparators.has(reader.peek())) {
    reader.position += 1;
    value += readOctet(reader, 2, 16);
  }
  return value;
}

type RawNotation = Extract<Notation, { readonly kind: "raw" }>;

function readRaw(reader: Reader): { readonly text: string; readonly notation: RawNotation } {
  if (reader.isAtEnd) throw reader.error("unrecognised input");
  if (!reader.take("r")) throw reader.error('expected " or r');
  const start = reader.position;
  while (reader.take("#"));
  const hashes = reader.position - start;
  if (hashes > hashesMax) {
    throw reader.error("invalid raw string hash count, there can't be more than 255 #s", start);
  }
  if (!reader.take('"')) throw reader.error('expected " or #');
  const ending = `"${"#".repeat(hashes)}`;
  const end = reader.source.indexOf(ending, reader.position);
  if (end === -1 || end + ending.length > reader.end) {
    throw reader.error("could not find an ending quote", start);
  }
  const text = reader.source.slice(reader.position, end);
  reader.position = end + ending.length;
  return { text, notation: { kind: "raw", hashes } };
}

/**
 * Reads a regular expression. Between quotes `\"` is the only escape of a quote; within brackets quotes do
 * not end it.
 */
export function readPattern(reader: Reader): PatternLiteral {
  const start = reader.position;
  if (!reader.take('"')) {
    const raw = readRaw(reader);
    return { ...raw, span: reader.spanFrom(start) };
  }
  const textStart = reader.position;
  let text = "";
  let isInBrackets = false;
  let character = "";
  while ((character = reader.takeCharacter()) !== '"' || isInBrackets) {
    if (character === "") throw reader.error("could not find an ending quote", textStart);
    if (character === "\\") {
      const escaped = reader.takeCharacter();
      character = escaped === '"' && !isInBrackets ? escaped : character + escaped;
    } else if (character === "[" || character === "]") isInBrackets = character === "[";
    text += character;
  }
  const span = { start: textStart, end: reader.position - 1 };
  return { text, notation: { kind: "quoted" }, span };
}

export function readListName(reader: Reader): string {
  reader.expect("$");
  const start = reader.position;
  listNameCharacters.lastIndex = start;
  const name = listNameCharacters.exec(reader.source)?.[0].slice(0, reader.end - start) ?? "";
  if (name === "" || name.startsWith(".") || name.endsWith(".")) {
    const shown = name === "" ? reader.takeCharacter() : name;
    throw reader.error(`invalid list name ${JSON.stringify(shown)}`, start);
  }
  reader.position += name.length;
  return name;
}
