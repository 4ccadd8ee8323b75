import { errorCodes } from "../error-codes.ts";
import { invalidRequest } from "../error.ts";

/** A part of a form; the content is a view into the form. */
export interface FormPart {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The octets of a form, and its `Content-Type`. */
export interface FormBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

const partsMax = 32;
/** Octets of the header lines of a part. */
const headBytesMax = 8 * 1024;
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

const newline = 10;
const carriageReturn = 13;
const dash = 45;

/**
 * The parts of a `multipart/form-data` body (RFC 7578, RFC 2046 section 5.1.1); undefined for any other or
 * incomplete body. Header and boundary lines may end with LF alone, as cloudflare-go 0.x writes them. The
 * time is linear in the length of the body. Errors: 400 code 1003 for more than 32 parts.
 */
export function readMultipart({ bytes, contentType }: FormBody): FormPart[] | undefined {
  const { value, parameters } = readHeader(contentType);
  const boundary = parameters.get("boundary") ?? "";
  if (value !== "multipart/form-data" || !boundaryForm.test(boundary)) return undefined;
  const delimiter = new TextEncoder().encode(`--${boundary}`);
  const parts: FormPart[] = [];
  let line = findDelimiter(bytes, 0, delimiter);
  while (line !== undefined && !line.isLast) {
    if (parts.length === partsMax) {
      throw invalidRequest(errorCodes.request.invalid, `Invalid body: must have at most ${partsMax} fields`);
    }
    const next = findDelimiter(bytes, line.end, delimiter);
    const part = next && readPart(bytes.subarray(line.end, next.start));
    if (part === undefined) return undefined;
    parts.push(part);
    line = next;
  }
  return line && parts;
}

/** A line between parts; `start` is the end of the content before it. */
interface DelimiterLine {
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
}

function findDelimiter(bytes: Uint8Array, from: number, delimiter: Uint8Array): DelimiterLine | undefined {
  for (let at = from; at < bytes.length; at += 1) {
    const isLineStart = at === 0 || bytes[at - 1] === newline;
    const line =
      isLineStart && startsWith(bytes, at, delimiter) && readDelimiter(bytes, at, delimiter.length);
    if (line) return line;
  }
  return undefined;
}

function startsWith(bytes: Uint8Array, at: number, searched: Uint8Array): boolean {
  for (let index = 0; index < searched.length; index += 1) {
    if (bytes[at + index] !== searched[index]) return false;
  }
  return true;
}

/** Reads a delimiter line; undefined for a longer line that only begins with the boundary. */
function readDelimiter(bytes: Uint8Array, at: number, length: number): DelimiterLine | undefined {
  let end = at + length;
  const isLast = bytes[end] === dash && bytes[end + 1] === dash;
  if (isLast) end += 2;
  while (isBlank(bytes[end])) end += 1;
  if (bytes[end] === carriageReturn) end += 1;
  if (bytes[end] !== newline && !(isLast && end >= bytes.length)) return undefined;
  return { start: contentEnd(bytes, at), end: end + 1, isLast };
}

/** The end of the content before a delimiter, to which the line break before it belongs. */
function contentEnd(bytes: Uint8Array, delimiterAt: number): number {
  if (delimiterAt === 0) return 0;
  return bytes[delimiterAt - 2] === carriageReturn ? delimiterAt - 2 : delimiterAt - 1;
}

function isBlank(octet: number | undefined): boolean {
  return octet === 32 || octet === 9;
}

const octets = new TextDecoder("latin1");

/** Reads a part; undefined if it has no name. */
function readPart(bytes: Uint8Array): FormPart | undefined {
  const head = octets.decode(bytes.subarray(0, headBytesMax));
  const lines = /^(?:[^\r\n]+\r?\n)+\r?\n/.exec(head)?.[0] ?? "";
  const [, disposition = ""] = /^content-disposition:(.*)$/im.exec(lines) ?? [];
  const { value, parameters } = readHeader(disposition);
  const name = parameters.get("name");
  if (value !== "form-data" || name === undefined) return undefined;
  return { name, content: bytes.subarray(lines.length) };
}

const parameter = /;[ \t]*([^\s=;]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y;

/** The value of a header and its parameters, with values and names in lower case. */
function readHeader(text: string) {
  const [value = ""] = text.split(";", 1);
  const parameters = new Map<string, string>();
  parameter.lastIndex = value.length;
  for (let found = parameter.exec(text); found !== null; found = parameter.exec(text)) {
    const [, name = "", quoted, plain = ""] = found;
    parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? plain);
  }
  return { value: value.trim().toLowerCase(), parameters };
}
