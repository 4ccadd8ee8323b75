import { lowerAscii, upperAscii } from "../../expression/byte-string.ts";
import {
  decodeBase64,
  decodeHex,
  encodeHex,
  decodeUrl,
  decodeUrlUnicode,
  encodeUtf8AsUnicode,
} from "./encodings.ts";
import { decodeCss, decodeEscapeSequences, decodeHtmlEntities, decodeJavaScript } from "./escapes.ts";
import { normalizePath, normalizeWindowsPath } from "./paths.ts";
import {
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
