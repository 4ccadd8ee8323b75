import { lowerAscii, upperAscii } from "../../expression/byte-string.ts";
import {
  decodeBase64,
  decodeHex,
  encodeHex,
  decodeUrl,
  decodeUrlUnicode,
  encodeUtf8AsUnicode,
  decodeCss,
  decodeEscapeSequences,
  decodeHtmlEntities,
  decodeJavaScript,
} from "./encodings.ts";
import {
  normalizePath,
  normalizeWindowsPath,
  compressWhitespace,
  normalizeCommandLine,
  removeCommentMarks,
  removeComments,
  removeNulls,
  removeWhitespace,
  replaceComments,
} from "./texts.ts";

/** Rewrites a byte string before an operator runs. Takes time proportional to its length. */
export type Transformation = (bytes: string) => string;

const table: readonly (readonly [name: string, transformation: Transformation])[] = [
  ["lowercase", lowerAscii],
  ["uppercase", upperAscii],
  ["urldecode", decodeUrl],
  ["urldecodeuni", decodeUrlUnicode],
  ["htmlentitydecode", decodeHtmlEntities],
  ["jsdecode", decodeJavaScript],
  ["cssdecode", decodeCss],
  ["escapeseqdecode", decodeEscapeSequences],
  ["utf8tounicode", encodeUtf8AsUnicode],
  ["base64decode", decodeBase64],
  ["hexencode", encodeHex],
  ["hexdecode", decodeHex],
  ["cmdline", normalizeCommandLine],
  ["compresswhitespace", compressWhitespace],
  ["removewhitespace", removeWhitespace],
  ["removenulls", removeNulls],
  ["replacecomments", replaceComments],
  ["removecomments", removeComments],
  ["removecommentschar", removeCommentMarks],
  ["normalisepath", normalizePath],
  ["normalizepath", normalizePath],
  ["normalisepathwin", normalizeWindowsPath],
  ["normalizepathwin", normalizeWindowsPath],
  ["length", (bytes) => String(bytes.length)],
  ["trim", (bytes) => bytes.replace(/^[\t-\r ]+/, "").trimEnd()],
  ["trimleft", (bytes) => bytes.replace(/^[\t-\r ]+/, "")],
  ["trimright", (bytes) => bytes.trimEnd()],
];

/** All transformations, by their names in lower case. */
export const transformations: ReadonlyMap<string, Transformation> = new Map(table);

export interface Step {
  readonly index: number;
  readonly apply: Transformation;
}

/** Transformations that are applied one after another; equal chains of different rules are one object. */
export interface Chain {
  readonly index: number;
  /** The chain without its last step; undefined for the empty chain. */
  readonly before: Chain | undefined;
  readonly step: Step;
}

/** The empty chain, and the chain after each step. */
export function stepsOf(chain: Chain): readonly Chain[] {
  return chain.before === undefined ? [chain] : [...stepsOf(chain.before), chain];
}

export class Chains {
  readonly #chains = new Map<string, Chain>();
  readonly #steps = new Map<Transformation, Step>();
  readonly #sha1: Transformation;

  constructor(sha1: Transformation) {
    this.#sha1 = sha1;
  }

  of(names: readonly string[]): Chain | undefined {
    const lower = names.map((name) => name.toLowerCase());
    let chain: Chain | undefined = this.#extended(undefined, "", (bytes) => bytes);
    let key = "";
    for (const name of lower.slice(lower.lastIndexOf("none") + 1)) {
      const transformation = name === "sha1" ? this.#sha1 : transformations.get(name);
      if (transformation === undefined) return undefined;
      key += `,${name}`;
      chain = this.#extended(chain, key, transformation);
    }
    return chain;
  }

  #extended(before: Chain | undefined, key: string, transformation: Transformation): Chain {
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const chain: Chain = { index: this.#chains.size, before, step: this.#stepOf(transformation) };
    this.#chains.set(key, chain);
    return chain;
  }

  #stepOf(transformation: Transformation): Step {
    const known = this.#steps.get(transformation);
    if (known !== undefined) return known;
    const step: Step = { index: this.#steps.size, apply: transformation };
    this.#steps.set(transformation, step);
    return step;
  }
}
