import { errorCodes } from "../../error-codes.ts";
import { AppError } from "../../error.ts";
import { dnsError, invalidContent } from "../content/dns-error.ts";
import { parseHex } from "../content/fields.ts";
import { isWithin, toAsciiName } from "../content/name.ts";
import { parseRdata } from "../content/rdata.ts";
import type { Rdata, RdataInput, RecordType } from "../content/record-types.ts";
import { hexToOctets, WireError } from "../wire/octets.ts";
import { recordInput } from "../wire/record-input.ts";
import { type Attributes, hasMarker, readAttributes } from "./attributes.ts";
import { type Entry, readEntries, ZoneFileError } from "./entries.ts";
import { type GenerateBudget, generatedEntries, newGenerateBudget } from "./generate.ts";
import { absoluteName, parseTtl, readType } from "./tokens.ts";
import { readData, quotedTextComment, readQuotedText, readText } from "./record-data.ts";

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

/** A record of a file that no zone of this name can have. */
export interface RefusedRecord {
  /** Its first line, from 1. */
  readonly line: number;
  /** Without final dot; as written, where it is no name. */
  readonly name: string;
  readonly reason: AppError;
}

export interface ZoneFileContent {
  readonly records: readonly ZoneFileRecord[];
  readonly refused: readonly RefusedRecord[];
  /** All of these, and those that a zone has of its own. */
  readonly totalParsed: number;
}

/** State that earlier lines of the file have set. */
interface State {
  readonly zoneName: string;
  /** Without final dot, perhaps no valid name; the root is an empty text. */
  origin: string;
  owner: Owner | undefined;
  /**
   * The value of `$TTL`; without it, the last TTL that a record gave (RFC 2308 section 4, RFC 1035 section
   * 5.1).
   */
  ttl: number;
  hasTtlDirective: boolean;
  /** Whether the line lies below `quotedTextComment`. */
  isQuotedText: boolean;
  readonly generateBudget: GenerateBudget;
}

interface Owner {
  /** Unchanged, where it is no name. */
  readonly name: string;
  readonly isName: boolean;
  /** The reason why no record can have this name. */
  readonly refusal?: AppError;
}

const genericData = String.raw`\#`;
const className = /^(?:IN|CH|CS|HS|ANY|NONE|CLASS\d+)$/i;
const internetClass = /^(?:IN|CLASS0*1)$/i;
/** No name is that long. */
const originLengthMax = 1_024;
const shownNameLengthMax = 255;
/** The spelling of types, which words of a text do not have. */
const mnemonic = /^[A-Z][A-Z0-9-]*$/;

/** The content of a zone file. Throws ZoneFileError as `readZoneFile` does. */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFileContent {
  const records: ZoneFileRecord[] = [];
  const refused: RefusedRecord[] = [];
  const reader = readZoneFile(text, options);
  let step = reader.next();
  for (; !step.done; step = reader.next()) {
    if ("reason" in step.value) refused.push(step.value);
    else records.push(step.value);
  }
  return { records, refused, totalParsed: step.value };
}

/**
 * Yields the records of a master file (RFC 1035 section 5, RFC 2308 section 4, BIND's units of time and
 * `$GENERATE`) in order, and returns their number. The SOA record and the NS records of the apex are counted but
 * not yielded, as a zone has its own; but for NS records with the marker of tags, which an export puts behind those
 * that were added to a zone. See `readAttributes` for comments and tags, and `quotedTextComment` for TXT strings.
 * Refused are records with a name outside of the zone or that is none, of a class other than IN or a type that is
 * not served, and with data that `parseRdata` refuses.
 *
 * Throws ZoneFileError for the first error of syntax, and for directives except `$ORIGIN`, `$TTL` and `$GENERATE`.
 * The time is linear in the length of `text` and of what `$GENERATE` makes, which is bounded.
 */
export function* readZoneFile(
  text: string,
  options: ZoneFileOptions,
): Generator<ZoneFileRecord | RefusedRecord, number, undefined> {
  const reader = readEachEntry(text, options);
  let step = reader.next();
  for (; !step.done; step = reader.next()) {
    const { record, refused, error } = step.value;
    if (error !== undefined) throw error;
    const found = record ?? refused;
    if (found !== undefined) yield found;
  }
  return step.value;
}

/** The result of one entry of a zone file: a record, a refused one, an error, or neither. */
interface ReadEntry {
  readonly lastLine: number;
  readonly record?: ZoneFileRecord | undefined;
  readonly refused?: RefusedRecord | undefined;
  readonly error?: ZoneFileError;
}

/**
 * Does the same as `readZoneFile`, but yields every error in its place and goes on with the next entry. Parts that
 * cannot be read as records are not counted.
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
    generateBudget: newGenerateBudget(),
  };
  let totalParsed = 0;
  for (const entry of readEntries(text)) {
    if ("error" in entry) {
      yield entry;
      continue;
    }
    const { lastLine } = entry;
    try {
      for (const one of recordEntries(entry, state)) {
        const read = readRecord(one, state);
        totalParsed += 1;
        yield { lastLine, ...read };
      }
      // A pause for those who read bit by bit.
      yield { lastLine };
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      yield { lastLine, error };
    }
  }
  return totalParsed;
}

/** The records of an entry: itself, those that `$GENERATE` makes, or none. */
function recordEntries(entry: Entry, state: State): Iterable<Entry> {
  if (isDirective(entry)) return followDirective(entry, state);
  if (entry.tokens.length > 0) return [entry];
  state.isQuotedText = `;${entry.comment}` === quotedTextComment;
  return [];
}

function isDirective({ hasOwner, tokens: [first] }: Entry): boolean {
  return hasOwner && first?.startsWith("$") === true;
}

type Directive = (entry: Entry, state: State) => Iterable<Entry>;

function* generate(entry: Entry, state: State): Generator<Entry, void, undefined> {
  const { owner } = state;
  yield* generatedEntries(entry, typeIndex, state.generateBudget);
  state.owner = owner;
}

const directives: Readonly<Record<string, Directive>> = {
  $GENERATE: generate,
  $ORIGIN: (entry, state) => {
    state.origin = readOrigin(entry, argumentOf(entry), state);
    return [];
  },
  $TTL: (entry, state) => {
    const ttl = parseTtl(argumentOf(entry));
    if (ttl === undefined) throw new ZoneFileError(entry.line, "The TTL is not a valid time.");
    state.ttl = ttl;
    state.hasTtlDirective = true;
    return [];
  },
};

function followDirective(entry: Entry, state: State): Iterable<Entry> {
  const name = entry.tokens[0]?.toUpperCase() ?? "";
  if (name === "$INCLUDE") throw new ZoneFileError(entry.line, "$INCLUDE directive not allowed");
  const follow = directives[name];
  if (follow === undefined) throw new ZoneFileError(entry.line, "The directive is unknown.");
  return follow(entry, state);
}

function argumentOf({ line, tokens: [name = "", argument, ...more] }: Entry): string {
  if (argument !== undefined && more.length === 0) return argument;
  throw new ZoneFileError(line, `${name.toUpperCase()} takes exactly one argument.`);
}

/** An origin may lie outside of the zone: some servers write `$ORIGIN com.` and then `example`. */
function readOrigin({ line }: Entry, argument: string, { origin }: State): string {
  const name = withoutFinalDot(absoluteName(argument, origin));
  if (name.length > originLengthMax) {
    throw new ZoneFileError(line, "DNS name is invalid.", errorCodes.dnsRecords.invalidName);
  }
  return toAsciiName(name) ?? name;
}

/** A record, or why it is refused; neither for SOA and NS records of the apex: every zone has its own. */
function readRecord(entry: Entry, state: State): Pick<ReadEntry, "record" | "refused"> {
  const { tokens, line } = entry;
  if (entry.hasOwner) state.owner = readOwner(tokens[0] ?? "", state);
  const { owner } = state;
  if (owner === undefined) throw new ZoneFileError(line, "The first record has no name.");
  const { ttlToken, classToken, typeAt } = beforeType(entry);
  const typeToken = tokens[typeAt];
  if (typeToken === undefined) throw new ZoneFileError(line, "The record has no type.");
  const type = readType(typeToken);
  const isRecord = type ?? ttlToken ?? classToken ?? (owner.isName && mnemonic.test(typeToken));
  if (isRecord === undefined || isRecord === false) {
    throw new ZoneFileError(line, "This is no record: it has no type.");
  }
  try {
    if (owner.refusal !== undefined) throw owner.refusal;
    if (classToken !== undefined && !internetClass.test(classToken)) {
      throw refusal("The class of a record can only be IN.");
    }
    const ttl = readTtl(ttlToken, state);
    const data = tokens.slice(typeAt + 1);
    if (type === "SOA") {
      checkSoa(data);
      // The public service writes the zone's name without a final dot here, so that it would be relative.
      state.owner = { name: state.zoneName, isName: true };
      return {};
    }
    if (type === undefined || type === "other") throw unservedType();
    const rdata = readRdata(entry, type, data, state);
    const { comment = "" } = entry;
    if (type === "NS" && owner.name === state.zoneName && !hasMarker(comment)) return {};
    const attributes = readAttributes(comment);
    if (attributes === undefined) throw refusal("The tags after cf_tags= are malformed.");
    return { record: { ...rdata, ...attributes, line, name: owner.name, type, ttl } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { line, name: owner.name, reason: error } };
  }
}

/** TTL and class are optional and may come in either order; `typeAt` is the index of the next token. */
function beforeType({ tokens, hasOwner }: Entry): {
  readonly ttlToken: string | undefined;
  readonly classToken: string | undefined;
  readonly typeAt: number;
} {
  let ttlToken: string | undefined;
  let classToken: string | undefined;
  let typeAt = hasOwner ? 1 : 0;
  for (; typeAt < tokens.length; typeAt += 1) {
    const token = tokens[typeAt] ?? "";
    if (ttlToken === undefined && /^\d/.test(token)) ttlToken = token;
    else if (classToken === undefined && className.test(token)) classToken = token;
    else break;
  }
  return { ttlToken, classToken, typeAt };
}

function typeIndex(entry: Entry): number {
  return beforeType(entry).typeAt;
}

function readTtl(token: string | undefined, state: State): number {
  if (token === undefined) return state.ttl;
  const ttl = parseTtl(token);
  if (ttl === undefined) {
    throw dnsError(errorCodes.dnsRecords.invalidTtl, "The TTL is not a valid time.", "/ttl");
  }
  if (!state.hasTtlDirective) state.ttl = ttl;
  return ttl;
}

function readOwner(token: string, { origin, zoneName }: State): Owner {
  const written = absoluteName(token, origin);
  const name = toAsciiName(written);
  if (name === undefined) {
    const invalid = dnsError(errorCodes.dnsRecords.invalidName, "DNS name is invalid.", "/name");
    const shown = withoutFinalDot(written.slice(0, shownNameLengthMax)) || ".";
    return { name: shown, isName: false, refusal: invalid };
  }
  const isInside = isWithin(name, zoneName);
  return { name, isName: true, ...(!isInside && { refusal: outsideZone(zoneName) }) };
}

/** Primary name server, mailbox, serial number and four times (RFC 1035 section 3.3.13). */
function checkSoa([primary, mailbox, serial = "", ...times]: readonly string[]): void {
  const isWellFormed =
    primary !== undefined &&
    mailbox !== undefined &&
    /^\d{1,10}$/.test(serial) &&
    times.length === 4 &&
    times.every((time) => parseTtl(time) !== undefined);
  if (!isWellFormed) throw refusal("The SOA record is malformed.");
}

function readRdata(entry: Entry, type: RecordType, data: readonly string[], state: State): Rdata {
  return parseRdata(type, readInput(entry, type, data, state), state.zoneName);
}

function readInput(entry: Entry, type: RecordType, data: readonly string[], state: State): RdataInput {
  if (data[0] === genericData) return readGenericData(type, data.slice(1));
  if (type !== "TXT") return readData(type, data, state.origin);
  return {
    content: state.isQuotedText
      ? readQuotedText(entry.source, entry.comment !== undefined, data)
      : readText(data),
  };
}

/** Data of unknown types: their length and their octets (RFC 3597 section 5). */
function readGenericData(type: RecordType, [length, ...hex]: readonly string[]): RdataInput {
  const digits = hex.length === 0 ? "" : parseHex(hex.join(""));
  if (digits === undefined || digits.length !== 2 * Number(length)) throw invalidContent(type);
  try {
    return recordInput(type, hexToOctets(digits));
  } catch (error) {
    throw error instanceof WireError ? invalidContent(type) : error;
  }
}

function withoutFinalDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

function unservedType(): AppError {
  return dnsError(errorCodes.dnsRecords.invalidType, "DNS record type is invalid.", "/type");
}

function outsideZone(zoneName: string): AppError {
  return refusal(`The name is outside of the zone ${zoneName}.`, errorCodes.dnsRecords.invalidName);
}

function refusal(message: string, code: number = errorCodes.dnsRecords.invalidZoneFile): AppError {
  return dnsError(code, message, "/file");
}
