import { encodeText } from "../../byte-string.ts";
import type { Implementation } from "./call-site.ts";

export const encodingFunctions: Readonly<Record<string, Implementation>> = {
  decode_base64: () => (first) => (first === undefined ? undefined : decodeBase64(first as string)),
  encode_base64: ({ literals }) => {
    const flags = (literals[1] as string | undefined) ?? "";
    return (first) =>
      first === undefined
        ? undefined
        : encodeBase64(first as string, { isUrlSafe: flags.includes("u"), isPadded: flags.includes("p") });
  },
  remove_query_args:
    ({ rest }) =>
    (first, context) => {
      if (first === undefined) return undefined;
      const removed = new Set(rest.map((evaluate) => evaluate(context)));
      const isKept = (pair: string): boolean => !removed.has(pair.split("=", 1)[0]);
      return (first as string).split("&").filter(isKept).join("&");
    },
  url_decode: ({ literals }) => {
    const options = (literals[1] as string | undefined) ?? "";
    const decode = options.includes("u") ? decodeWithUnicode : decodeOnce;
    if (!options.includes("r")) return (first) => (first === undefined ? undefined : decode(first as string));
    return (first) => (first === undefined ? undefined : decodeAgain(first as string, decode));
  },
};

/** The octets of base64 (RFC 4648), with or without padding; undefined for any other text. */
function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

export function encodeBase64(
  bytes: string,
  { isUrlSafe, isPadded }: { readonly isUrlSafe: boolean; readonly isPadded: boolean },
): string {
  const padded = btoa(bytes);
  const text = isPadded ? padded : padded.replace(/=+$/, "");
  return isUrlSafe ? text.replaceAll("+", "-").replaceAll("/", "_") : text;
}

const encodedOctet = /\+|%([0-9A-Fa-f]{2})/g;
const encodedCharacter = /\+|%[uU]([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})/g;

/** Decodes `+` and `%HH` and keeps everything else. */
export function decodeOnce(bytes: string): string {
  return bytes.replaceAll(encodedOctet, (_, octet?: string) =>
    octet === undefined ? " " : String.fromCharCode(Number.parseInt(octet, 16)),
  );
}

/** Also decodes `%uHHHH` to UTF-8; lone surrogates stay. */
function decodeWithUnicode(bytes: string): string {
  return bytes.replaceAll(encodedCharacter, (found, character?: string, octet?: string) => {
    if (octet !== undefined) return String.fromCharCode(Number.parseInt(octet, 16));
    if (character === undefined) return " ";
    const code = Number.parseInt(character, 16);
    return code >= 0xd800 && code <= 0xdfff ? found : encodeText(String.fromCharCode(code));
  });
}

const decodingsMax = 10;

/** Decodes until nothing changes. */
function decodeAgain(bytes: string, decode: (bytes: string) => string): string {
  let current = bytes;
  for (let round = 0; round < decodingsMax; round += 1) {
    const next = decode(current);
    if (next === current) break;
    current = next;
  }
  return current;
}
