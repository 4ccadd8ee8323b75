import type { Entry } from "./entry.ts";

/** The contents of a multipart form, as rules see them. */
export interface MultipartValues {
  /** The parts without a file. */
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

/** Reads a multipart form (RFC 7578). Undefined if it has no boundary, or its last part is not closed. */
export function readMultipart(contentType: string, body: string): MultipartValues | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary === "") return undefined;
  const pieces = `\n${body}`.split(`\n--${boundary}`);
  const fields: Entry[] = [];
  const files: MultipartValues["files"][number][] = [];
  const headers: Entry[] = [];
  const [preamble = "", ...parts] = pieces;
  let isLax = preamble.trim() !== "";
  let isClosed = false;
  for (const part of parts.slice(0, partsMax)) {
    if (part.startsWith("--")) {
      isClosed = true;
      break;
    }
    const read = readPart(part);
    if (read === undefined) {
      isLax = true;
      continue;
    }
    isLax ||= read.isLax;
    headers.push(...read.headers.map((value) => ({ name: read.name, value })));
    if (read.file === undefined) fields.push({ name: read.name, value: read.content });
    else files.push({ name: read.name, value: read.file, octets: read.content.length });
  }
  return isClosed ? { fields, files, headers, isLax } : undefined;
}

function readPart(part: string) {
  // A line break ends the boundary; another one ends the content before the next boundary.
  const [, rest] = /^[ \t]*\r?\n([^]*)$/.exec(part) ?? [];
  if (rest === undefined) return undefined;
  const [head, end] = split(rest);
  const lines = head.split(/\r?\n(?![ \t])/).filter((line) => line !== "");
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? "";
  const name = parameter(disposition, "name");
  if (name === undefined) return undefined;
  const file = parameter(disposition, "filename");
  return {
    name,
    file,
    headers: lines.map((line) => line.replaceAll(/\r?\n[ \t]+/g, " ")),
    content: end.endsWith("\r") ? end.slice(0, -1) : end,
    isLax: !/^content-disposition\s*:\s*form-data\s*;/i.test(disposition) || disposition.includes("'"),
  };
}

/** The headers and what follows the empty line. */
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
