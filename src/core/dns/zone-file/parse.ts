import { errorCodes } from "../../error-codes.ts";
import { AppError } from "../../error.ts";
import { isWithin, toAsciiName } from "../name.ts";
import { parseRdata, recordTypes, type Rdata, type RdataInput, type RecordType } from "../rdata.ts";
import { type Attributes, readAttributes } from "./attributes.ts";
import { type Entry, readEntries } from "./entries.ts";
import { absoluteName } from "./names.ts";
import { readData } from "./record-data.ts";
import { quotedTextComment, readQuotedText, readText } from "./text-content.ts";
import { parseTtl } from "./ttl.ts";
import { ZoneFileError } from "./zone-file-error.ts";

export interface ZoneFileOptions {
  /** A result of `parseZoneName`. */
  readonly zoneName: string;
  /** Seconds, for a record for which the file gives no TTL. */
  readonly ttlDefault: number;
}

/** A record of a file as the body of a request, with validated data; `line` is its first line. */
export interface ZoneFileRecord extends Rdata, Attributes {
  readonly line: number;
  /** Fully qualified, ASCII, without final dot. */
  readonly name: string;
  readonly type: RecordType;
  /** Seconds, up to 2^31 - 1, which may be outside of the range that the API allows. */
  readonly ttl: number;
}

export type ZoneFileResult =
  | { readonly records: readonly ZoneFileRecord[]; readonly totalParsed: number }
  | { readonly error: ZoneFileError };

/** State that earlier lines of the file have set. */
interface State {
  readonly zoneName: string;
  /** Without final dot; the root is an empty text. */
  origin: string;
  owner: string | undefined;
  /**
   * The value of `$TTL`; without it, the last TTL that a record gave (RFC 2308 section 4, RFC 1035 section
   * 5.1).
   */
  ttl: number;
  hasTtlDirective: boolean;
  /** Whether the line lies below `quotedTextComment`. */
  isQuotedText: boolean;
}

const supportedTypes: ReadonlySet<string> = new Set(recordTypes);
const genericData = String.raw`\#`;
const otherClass = /^(?:CH|CS|HS|ANY|NONE|CLASS\d+)$/;

/** All records of a zone file, or its first error. See `readZoneFile`. */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFileResult {
  const records: ZoneFileRecord[] = [];
  try {
    const reader = readZoneFile(text, options);
    let step = reader.next();
    for (; !step.done; step = reader.next()) records.push(step.value);
    return { records, totalParsed: step.value };
  } catch (error) {
    if (error instanceof ZoneFileError) return { error };
    throw error;
  }
}

/**
 * Yields the records of a master file (RFC 1035 section 5, RFC 2308 section 4, BIND's units of time) in order, and returns
 * their number. The SOA record and the NS records of the apex are counted but not yielded, as a zone has its own. See
 * `readAttributes` for comments and tags, and `quotedTextComment` for TXT strings.
 *
 * Throws ZoneFileError for the first error: syntax, a name outside the zone, data that `parseRdata` refuses, a class other
 * than IN, an unknown type, generic data (RFC 3597), and directives except `$ORIGIN` and `$TTL`. The time is linear in the
 * length of `text`.
 */
export function* readZoneFile(
  text: string,
  options: ZoneFileOptions,
): Generator<ZoneFileRecord, number, undefined> {
  const reader = readEachEntry(text, options);
  let step = reader.next();
  for (; !step.done; step = reader.next()) {
    const { record, error } = step.value;
    if (error !== undefined) throw error;
    if (record !== undefined) yield record;
  }
  return step.value;
}

/** The result of one entry of a zone file: a record, an error, or neither. */
interface ReadEntry {
  readonly lastLine: number;
  readonly record?: ZoneFileRecord | undefined;
  readonly error?: ZoneFileError;
}

/**
 * As `readZoneFile`, but yields every error in its place and goes on with the next entry. Bad records are not
 * counted.
 */
export function* readEachEntry(
  text: string,
  { zoneName, ttlDefault }: ZoneFileOptions,
): Generator<ReadEntry, number, undefined> {
  const state: State = {
    zoneName,
    origin: zoneName,
    owner: undefined,
    ttl: ttlDefault,
    hasTtlDirective: false,
    isQuotedText: false,
  };
  let totalParsed = 0;
  for (const entry of readEntries(text)) {
    if ("error" in entry) {
      yield entry;
      continue;
    }
    const { lastLine } = entry;
    try {
      if (isRecord(entry)) {
        const record = readRecord(entry, state);
        totalParsed += 1;
        yield { lastLine, record };
      } else {
        followOther(entry, state);
        yield { lastLine };
      }
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      yield { lastLine, error };
    }
  }
  return totalParsed;
}

function isDirective({ hasOwner, tokens: [first] }: Entry): boolean {
  return hasOwner && first?.startsWith("$") === true;
}

function isRecord(entry: Entry): boolean {
  return entry.tokens.length > 0 && !isDirective(entry);
}

/** A directive, or a comment on a line of its own. */
function followOther(entry: Entry, state: State): void {
  if (isDirective(entry)) followDirective(entry, state);
  else state.isQuotedText = `;${entry.comment}` === quotedTextComment;
}

const refusedDirectives: ReadonlySet<string> = new Set(["$GENERATE", "$INCLUDE"]);
const directives: Readonly<Record<string, (entry: Entry, argument: string, state: State) => void>> = {
  $ORIGIN: (entry, argument, state) => {
    state.origin = readOrigin(entry, argument, state);
  },
  $TTL: (entry, argument, state) => {
    state.ttl = readTtl(entry, argument);
    state.hasTtlDirective = true;
  },
};

function followDirective(entry: Entry, state: State): void {
  const [token = "", argument, ...more] = entry.tokens;
  const name = token.toUpperCase();
  if (refusedDirectives.has(name)) throw new ZoneFileError(entry.line, `${name} directive not allowed`);
  const follow = directives[name];
  if (follow === undefined) throw new ZoneFileError(entry.line, "The directive is unknown.");
  if (argument === undefined || more.length > 0) {
    throw new ZoneFileError(entry.line, `${name} takes exactly one argument.`);
  }
  follow(entry, argument, state);
}

/** The origin may lie above the zone: some servers write `$ORIGIN com.` and then `example`. */
function readOrigin(entry: Entry, argument: string, { origin, zoneName }: State): string {
  const absolute = absoluteName(argument, origin);
  const name = absolute === "." ? "" : toAsciiName(absolute);
  if (name === undefined) throw invalidName(entry);
  if (!isWithin(name, zoneName) && !isWithin(zoneName, name)) throw outsideZone(entry, zoneName);
  return name;
}

function readTtl(entry: Entry, token: string): number {
  const ttl = parseTtl(token);
  if (ttl === undefined) throw new ZoneFileError(entry.line, "The TTL is not a valid time.");
  return ttl;
}

/** Undefined for SOA and NS records of the apex: every zone has its own. */
function readRecord(entry: Entry, state: State): ZoneFileRecord | undefined {
  const { tokens, line } = entry;
  if (entry.hasOwner) state.owner = readOwner(entry, tokens[0] ?? "", state);
  const name = state.owner;
  if (name === undefined) throw new ZoneFileError(line, "The first record has no name.");
  const { ttl, typeAt } = readTtlAndClass(entry, state);

  const type = tokens[typeAt]?.toUpperCase();
  const data = tokens.slice(typeAt + 1);
  if (type === "SOA") {
    checkSoa(entry, data);
    // The public service writes the zone's name without a final dot here, so that it would be relative.
    state.owner = state.zoneName;
    return undefined;
  }
  if (type === undefined) throw new ZoneFileError(line, "The record has no type.");
  if (!isSupported(type)) throw new ZoneFileError(line, "The record type is unknown or not supported.");
  if (data[0] === genericData) throw new ZoneFileError(line, "Generic data (RFC 3597) is not supported.");

  const rdata = readRdata(entry, type, data, state);
  if (type === "NS" && name === state.zoneName) return undefined;
  const attributes = entry.comment === undefined ? {} : readAttributes(entry.comment);
  if (attributes === undefined) throw new ZoneFileError(line, "The tags after cf_tags= are malformed.");
  return { ...rdata, ...attributes, line, name, type, ttl };
}

/** TTL and class are optional and may come in either order; `typeAt` is the index of the next token. */
function readTtlAndClass(entry: Entry, state: State): { readonly ttl: number; readonly typeAt: number } {
  let ttl: number | undefined;
  let hasClass = false;
  let at = entry.hasOwner ? 1 : 0;
  for (; at < entry.tokens.length; at += 1) {
    const token = entry.tokens[at] ?? "";
    if (ttl === undefined && /^\d/.test(token)) ttl = readTtl(entry, token);
    else if (!hasClass && isClass(entry, token)) hasClass = true;
    else break;
  }
  if (ttl !== undefined && !state.hasTtlDirective) state.ttl = ttl;
  return { ttl: ttl ?? state.ttl, typeAt: at };
}

function readOwner(entry: Entry, token: string, { origin, zoneName }: State): string {
  const name = toAsciiName(absoluteName(token, origin));
  if (name === undefined) throw invalidName(entry);
  if (!isWithin(name, zoneName)) throw outsideZone(entry, zoneName);
  return name;
}

function isClass({ line }: Entry, token: string): boolean {
  const name = token.toUpperCase();
  if (otherClass.test(name)) throw new ZoneFileError(line, "The class of a record can only be IN.");
  return name === "IN";
}

function isSupported(type: string): type is RecordType {
  return supportedTypes.has(type);
}

/** Primary name server, mailbox, serial number and four times (RFC 1035 section 3.3.13). */
function checkSoa({ line }: Entry, [primary, mailbox, serial = "", ...times]: readonly string[]): void {
  const isWellFormed =
    primary !== undefined &&
    mailbox !== undefined &&
    /^\d{1,10}$/.test(serial) &&
    times.length === 4 &&
    times.every((time) => parseTtl(time) !== undefined);
  if (!isWellFormed) throw new ZoneFileError(line, "The SOA record is malformed.");
}

function readRdata(entry: Entry, type: RecordType, data: readonly string[], state: State): Rdata {
  const input =
    type === "TXT" ? { content: readTextContent(entry, data, state) } : readData(type, data, state.origin);
  return validated(entry, type, input, state);
}

function readTextContent({ source, comment }: Entry, data: readonly string[], state: State): string {
  return state.isQuotedText ? readQuotedText(source, comment !== undefined, data) : readText(data);
}

function validated({ line }: Entry, type: RecordType, input: RdataInput, { zoneName }: State): Rdata {
  try {
    return parseRdata(type, input, zoneName);
  } catch (error) {
    if (error instanceof AppError) throw new ZoneFileError(line, error.message, error.code);
    throw error;
  }
}

function invalidName({ line }: Entry): ZoneFileError {
  return new ZoneFileError(line, "DNS name is invalid.", errorCodes.dnsRecords.invalidName);
}

function outsideZone({ line }: Entry, zoneName: string): ZoneFileError {
  return new ZoneFileError(line, `The name is outside of the zone ${zoneName}.`);
}
