import { decodeUrl } from "../transform/encodings.ts";

export interface Entry {
  readonly name: string;
  readonly value: string;
}

/** The arguments of a query or of a form, decoded once. */
export function readArguments(text: string): Entry[] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0
        ? { name: decodeUrl(pair), value: "" }
        : { name: decodeUrl(pair.slice(0, at)), value: decodeUrl(pair.slice(at + 1)) };
    });
}

/** The cookies of a `Cookie` header, not decoded. */
export function readCookies(header: string): Entry[] {
  return header
    .split(";")
    .map((pair) => pair.trimStart())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? { name: pair, value: "" } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
}
