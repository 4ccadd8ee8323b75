import type { Entry } from "./url-encoded.ts";

/** The contents of a multipart form, as rules see them. */
export interface MultipartValues {
  readonly fields: readonly Entry[];
  /** The file names that were sent, by field name. */
  readonly files: readonly (Entry & { readonly octets: number })[];
  /** Every header line of every part, by field name. */
  readonly headers: readonly Entry[];
  /** Whether it departs from RFC 7578 in a way that parsers read differently. */
  readonly isLax: boolean;
}

const partsMax = 1000;
const parameters = {
  name: /;\s*name\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;\s]*))/i,
  filename: /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^;\s]*))/i,
};

export interface MultipartPart {
  /** Name and value as they were sent; a folded line is one. */
  readonly headers: readonly string[];
  readonly content: string;
}

interface SplitBody {
  readonly preamble: string;
  /** At most `partsMax`, without those that do not begin on a line of their own. */
  readonly parts: readonly MultipartPart[];
  readonly isClosed: boolean;
  /** Whether there is text between the parts. */
  readonly isBroken: boolean;
}

/**
 * Splits a body with several parts; one that is not closed has its last part as far as it came. Undefined
 * without a boundary.
 */
export function splitMultipart(contentType: string, body: string): SplitBody | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary === "") return undefined;
  const [preamble = "", ...pieces] = `\n${body}`.split(`\n--${boundary}`);
  const closing = pieces.slice(0, partsMax).findIndex((piece) => piece.startsWith("--"));
  const read = pieces.slice(0, closing === -1 ? partsMax : closing).map(readPart);
  const parts = read.filter((part) => part !== undefined);
  return { preamble, parts, isClosed: closing !== -1, isBroken: parts.length < read.length };
}

export function headersOfPart({ headers }: MultipartPart, name: string): string[] {
  return headers.flatMap((line) => {
    const colon = line.indexOf(":");
    return line.slice(0, colon).trim().toLowerCase() === name ? [line.slice(colon + 1).trim()] : [];
  });
}

export function parametersOf(part: MultipartPart, name: keyof typeof parameters): string[] {
  const dispositions = headersOfPart(part, "content-disposition");
  return dispositions.flatMap((disposition) => parameter(disposition, name) ?? []);
}

/** Reads a multipart form (RFC 7578). Undefined if it has no boundary, or its last part is not closed. */
export function readMultipart(contentType: string, body: string): MultipartValues | undefined {
  const form = splitMultipart(contentType, body);
  if (form?.isClosed !== true) return undefined;
  const fields: Entry[] = [];
  const files: MultipartValues["files"][number][] = [];
  const headers: Entry[] = [];
  let isLax = form.isBroken || form.preamble.trim() !== "";
  for (const part of form.parts) {
    const disposition = part.headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? "";
    const name = parameter(disposition, "name");
    if (name === undefined) {
      isLax = true;
      continue;
    }
    isLax ||= !/^content-disposition\s*:\s*form-data\s*;/i.test(disposition) || disposition.includes("'");
    headers.push(...part.headers.map((value) => ({ name, value })));
    const file = parameter(disposition, "filename");
    if (file === undefined) fields.push({ name, value: part.content });
    else files.push({ name, value: file, octets: part.content.length });
  }
  return { fields, files, headers, isLax };
}

function readPart(part: string): MultipartPart | undefined {
  // A line break ends the boundary; another one ends the content before the next boundary.
  const [, rest] = /^[ \t]*\r?\n([^]*)$/.exec(part) ?? [];
  if (rest === undefined) return undefined;
  const [head, end] = split(rest);
  const lines = head.split(/\r?\n(?![ \t])/).filter((line) => line !== "");
  return {
    headers: lines.map((line) => line.replaceAll(/\r?\n[ \t]+/g, " ")),
    content: end.endsWith("\r") ? end.slice(0, -1) : end,
  };
}

/** Splits a part at its empty line into headers and content. */
function split(text: string): [head: string, content: string] {
  const found = /\r?\n\r?\n/.exec(text);
  const empty = /^\r?\n/.exec(text);
  if (empty !== null) return ["", text.slice(empty[0].length)];
  if (found === null) return [text, ""];
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function parameter(disposition: string, name: keyof typeof parameters): string | undefined {
  const [, quoted, plain] = parameters[name].exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain;
}
