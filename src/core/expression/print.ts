import type {
  Access,
  Argument,
  BytesLiteral,
  Call,
  Expression,
  Index,
  IpItem,
  Literal,
  LiteralSet,
  PatternLiteral,
  Test,
} from "./ast.ts";
import { decodeText } from "./byte-string.ts";
import { printIpAddress } from "../net/ip-address.ts";

/** The canonical text of a tree: single spaces, operators as words. It parses to the same tree. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return String(expression.value);
    case "group":
      return `(${printExpression(expression.operand)})`;
    case "not":
      return `not ${printExpression(expression.operand)}`;
    case "logical":
      return expression.operands.map(printExpression).join(` ${expression.operator} `);
    case "quantifier":
      return `${expression.quantifier}(${printExpression(expression.operand)})`;
    case "comparison":
      return `${printAccess(expression.left)}${printTest(expression.test)}`;
  }
}

export function printAccess({ base, indexes }: Access): string {
  const text = base.kind === "field" ? base.field.name : printCall(base);
  return text + indexes.map(printIndex).join("");
}

export function printCall({ function: { name }, args }: Call): string {
  return `${name}(${args.map(printArgument).join(", ")})`;
}

function printArgument(argument: Argument): string {
  // As an argument, hexadecimal octets with colons could be read as an address.
  if (argument.kind === "literal") return printLiteral(argument.literal, "-");
  return argument.kind === "access" ? printAccess(argument.access) : printExpression(argument.expression);
}

function printIndex(index: Index): string {
  if (index.kind === "each") return "[*]";
  return index.kind === "position" ? `[${index.position}]` : `[${quoteBytes(index.key)}]`;
}

function printTest(test: Test): string {
  switch (test.kind) {
    case "is true":
      return "";
    case "ordering":
      return ` ${test.operator} ${printLiteral(test.literal)}`;
    case "bitwise and":
      return ` bitwise_and ${test.mask}`;
    case "contains":
      return ` contains ${printBytes(test.part)}`;
    case "matches":
      return ` matches ${printPattern(test.pattern)}`;
    case "wildcard":
      return ` ${test.operator} ${printBytes(test.pattern)}`;
    case "in set":
      return ` in {${printItems(test.set).join(" ")}}`;
    case "in list":
      return ` in $${test.list}`;
  }
}

function printItems(set: LiteralSet): string[] {
  if (set.kind === "bytes") return set.items.map((item) => printBytes(item));
  if (set.kind === "ip") return set.items.map(printIpItem);
  return set.items.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`));
}

function printIpItem(item: IpItem): string {
  if (item.kind === "range") return `${printIpAddress(item.first)}..${printIpAddress(item.last)}`;
  const address = printIpAddress(item.address);
  return item.kind === "network" ? `${address}/${item.bits}` : address;
}

function printLiteral(literal: Literal, separator = ":"): string {
  if (literal.kind === "int") return `${literal.value}`;
  return literal.kind === "ip" ? printIpAddress(literal.value) : printBytes(literal, separator);
}

function printBytes({ value, notation }: BytesLiteral, separator = ":"): string {
  if (notation.kind === "quoted") return quoteBytes(value);
  if (notation.kind === "raw") return printRaw(decodeText(value) ?? value, notation.hashes);
  return Array.from(value, (octet) => hexadecimal(octet)).join(separator);
}

function printRaw(text: string, hashes: number): string {
  const fence = "#".repeat(hashes);
  return `r${fence}"${text}"${fence}`;
}

/** A quoted byte string; unprintable octets are hexadecimal. */
export function quoteBytes(bytes: string): string {
  const text = decodeText(bytes);
  // oxlint-disable-next-line no-control-regex -- control characters are meant.
  const unreadable = text === undefined ? /[^ -~]/g : /[\0-\x1f\x7f]/g;
  const escaped = (text ?? bytes).replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${escaped.replaceAll(unreadable, (octet) => String.raw`\x${hexadecimal(octet)}`)}"`;
}

function hexadecimal(octet: string): string {
  return octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
}

function printPattern({ text, notation }: PatternLiteral): string {
  return notation.kind === "raw" ? printRaw(text, notation.hashes) : `"${escapeQuotes(text)}"`;
}

const patternParts = /\\[^]?|\[|\]|"|[^\\[\]"]+/gu;

/** Escapes quotes outside brackets, which would end a pattern. */
function escapeQuotes(pattern: string): string {
  let isInBrackets = false;
  return pattern.replaceAll(patternParts, (part) => {
    if (part === "[" || part === "]") isInBrackets = part === "[";
    return part === '"' && !isInBrackets ? String.raw`\"` : part;
  });
}
