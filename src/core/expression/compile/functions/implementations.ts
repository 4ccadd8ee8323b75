import type { IpAddress } from "../../../net/ip-address.ts";
import { networkOf } from "../../../net/ip-range.ts";
import type { CallSite, Implementation } from "./call-site.ts";
import { decodeText } from "../../byte-string.ts";
import { parseReplacement, type Replacement, parseWildcard, wildcardCaptures } from "../../wildcard.ts";
import { encodingFunctions } from "./encodings.ts";
import { hashFunctions } from "./hashes.ts";
import { jsonFunctions } from "./json.ts";
import { textFunctions } from "./text.ts";

const addressFunctions: Readonly<Record<string, Implementation>> = {
  cidr: (site) => networkAddress(numberAt(site, 1), numberAt(site, 2)),
  cidr6: (site) => networkAddress(32, numberAt(site, 1)),
};

function numberAt({ literals }: CallSite, position: number): number {
  return Number(literals[position]);
}

function networkAddress(bits4: number, bits6: number): ReturnType<Implementation> {
  return (first) => {
    if (first === undefined) return undefined;
    const address = first as IpAddress;
    return networkOf(address, address.version === 4 ? bits4 : bits6).first;
  };
}

const packetFunctions: Readonly<Record<string, Implementation>> = {
  bit_slice: ({ literals }) => {
    const [, start, end] = literals as readonly [unknown, number, number];
    return (first) => (first === undefined ? undefined : bitSlice(first as string, start, end));
  },
};

function bitSlice(bytes: string, start: number, end: number): number | undefined {
  if (end > bytes.length * 8) return undefined;
  let value = 0;
  for (let bit = start; bit < end; bit += 1) {
    value = value * 2 + ((bytes.charCodeAt(bit >>> 3) >>> (7 - (bit & 7))) & 1);
  }
  return value;
}

const replacementFunctions: Readonly<Record<string, Implementation>> = {
  regex_replace: ({ literals, patterns }) => {
    const [, pattern, replacement] = literals as readonly [unknown, string, string];
    const regex = patterns.get(decodeText(pattern) ?? pattern);
    const parts = readReplacement(replacement);
    const template = parts
      .map((part) => (typeof part === "number" ? `\${${part}}` : part.replaceAll("$", "$$$$")))
      .join("");
    return (first) => (first === undefined ? undefined : regex.replaceFirst(first as string, template));
  },
  wildcard_replace: ({ literals }) => {
    const [, pattern, replacement, flags] = literals as readonly [unknown, string, string, string?];
    const wildcard = parseWildcard(pattern, Number.POSITIVE_INFINITY);
    const parts = readReplacement(replacement);
    return (first) => {
      if (first === undefined || "issue" in wildcard) return undefined;
      const captures = wildcardCaptures(wildcard, flags === "s", first as string);
      if (captures === undefined) return first;
      return parts.map((part) => (typeof part === "number" ? (captures[part - 1] ?? "") : part)).join("");
    };
  },
};

/** Reads a replacement that the parser has accepted. */
function readReplacement(bytes: string): Replacement {
  const replacement = parseReplacement(bytes);
  return "issue" in replacement ? [] : replacement;
}

const implementations: ReadonlyMap<string, Implementation> = new Map(
  Object.entries({
    ...addressFunctions,
    ...encodingFunctions,
    ...hashFunctions,
    ...jsonFunctions,
    ...packetFunctions,
    ...replacementFunctions,
    ...textFunctions,
  }),
);

/** Throws for a function of the scheme that has no implementation. */
export function findImplementation(name: string): Implementation {
  const implementation = implementations.get(name);
  if (implementation === undefined) throw new Error(`the function ${name} is not implemented`);
  return implementation;
}
