import type { RecordType, RdataInput } from "../content/record-types.ts";
import {
  decodeCharacterString,
  encodeCharacterString,
  parseText,
  textStrings,
  splitTokens,
} from "../content/character-string.ts";
import { withoutFinalDot } from "../content/name.ts";
import { absoluteName } from "./tokens.ts";

type Mnemonics = Readonly<Record<string, number>>;

// RFC 4398 section 2.1
const certificateTypes: Mnemonics = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

// IANA registry of DNS Security Algorithm Numbers (RFC 4034 appendix A.1)
const securityAlgorithms: Mnemonics = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  "DSA-NSEC3-SHA1": 6,
  NSEC3DSA: 6,
  "RSASHA1-NSEC3-SHA1": 7,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  "ECC-GOST": 12,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};

/** The mnemonics that may stand in place of a number, by the index of the token. */
const mnemonicsAt: Readonly<Partial<Record<RecordType, Readonly<Record<number, Mnemonics>>>>> = {
  CERT: { 0: certificateTypes, 2: securityAlgorithms },
  DNSKEY: { 2: securityAlgorithms },
  DS: { 1: securityAlgorithms },
};

/** The tokens of a record's data with numbers in place of mnemonics, as the API knows only numbers. */
function withoutMnemonics(type: RecordType, tokens: readonly string[]): readonly string[] {
  const known = mnemonicsAt[type];
  if (known === undefined) return tokens;
  return tokens.map((token, index) => {
    const name = token.toUpperCase();
    const numbers = known[index] ?? {};
    return Object.hasOwn(numbers, name) ? String(numbers[name]) : token;
  });
}

/**
 * TXT content in a zone file. Content may have quotes or not, but a file always has quotes. To restore both:
 *
 * - content without quotes is written as its strings, with everything but printable ASCII escaped;
 * - content with quotes is written unchanged below a comment line (`quotedTextComment`);
 * - elsewhere, strings that some content without quotes produces are read as that content, and others as quoted
 * strings,
 *   spelled as in the file and separated by one space.
 *
 * Other software ignores the comment line and reads the same DNS record.
 */
export const quotedTextComment = ";; TXT Records, content in quotes";

const segments = /"(?:[^"\\]|\\.)*"|(?:[^"\\]|\\.)+/gs;
// `ignoreBOM` keeps U+FEFF as the first character.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether TXT content belongs into the section of `quotedTextComment`. */
export function isQuotedText(content: string): boolean {
  return content.startsWith('"');
}

export function printText(content: string): string {
  if (isQuotedText(content)) return content;
  return (textStrings(content) ?? []).map(encodeCharacterString).join(" ");
}

/** The content for `parseRdata`, which refuses malformed escapes and long strings. */
export function readText(tokens: readonly string[]): string {
  const quoted = tokens.flatMap((token) => token.match(segments) ?? []).map(withQuotes);
  return plainContent(quoted.map(decodeCharacterString)) ?? quoted.join(" ");
}

/** Does the same as `readText`, below `quotedTextComment`: `source` is the record up to its comment. */
export function readQuotedText(source: string, hasComment: boolean, tokens: readonly string[]): string {
  const data = source.slice(Math.max(source.indexOf('"'), 0));
  const content = hasComment && data.endsWith(" ") ? data.slice(0, -1) : data;
  return isQuotedText(content) && parseText(content) !== undefined ? content : readText(tokens);
}

function withQuotes(segment: string): string {
  return isQuotedText(segment) ? segment : `"${segment}"`;
}

/** The content without quotes that produces exactly these octets. */
function plainContent(strings: readonly (string | undefined)[]): string | undefined {
  const octets = strings.join("");
  const content = /^[ -~]*$/.test(octets) ? octets : utf8.decode(Uint8Array.from(octets, codeOf));
  if (content.trim() === "") return undefined;
  const meant = textStrings(content);
  const isSame =
    meant?.length === strings.length && meant.every((string, index) => string === strings[index]);
  return isSame ? content : undefined;
}

function codeOf(octet: string): number {
  return octet.charCodeAt(0);
}

/** The differences between a type's data in a zone file and the record's content. */
interface Layout {
  /** The priority is the first token in a file and not part of the content. */
  readonly hasPriority?: true;
  /** Index of the token that is a name: possibly relative in a file, and written with a final dot. */
  readonly nameAt?: number;
}

const layouts: Readonly<Partial<Record<RecordType, Layout>>> = {
  CNAME: { nameAt: 0 },
  HTTPS: { nameAt: 1 },
  MX: { hasPriority: true, nameAt: 0 },
  NAPTR: { nameAt: 5 },
  NS: { nameAt: 0 },
  PTR: { nameAt: 0 },
  SRV: { hasPriority: true, nameAt: 2 },
  SVCB: { nameAt: 1 },
  URI: { hasPriority: true },
};

/** The input of `parseRdata` for any type but TXT; relative names end in `origin`. */
export function readData(type: RecordType, tokens: readonly string[], origin: string): RdataInput {
  const { hasPriority, nameAt } = layouts[type] ?? {};
  const content = hasPriority ? tokens.slice(1) : [...withoutMnemonics(type, tokens)];
  const name = nameAt === undefined ? undefined : content[nameAt];
  if (nameAt !== undefined && name !== undefined)
    content[nameAt] = withoutFinalDot(absoluteName(name, origin));
  return { content: content.join(" "), ...(hasPriority && { priority: readPriority(tokens[0]) }) };
}

/** An invalid token is passed on, for `parseRdata` to refuse. */
function readPriority(token: string | undefined): number | string | undefined {
  return token !== undefined && /^\d+$/.test(token) ? Number(token) : token;
}

/** The data in a zone file, for any type but TXT. */
export function printData(type: RecordType, content: string, priority: number | undefined): string {
  const { hasPriority, nameAt } = layouts[type] ?? {};
  const data = nameAt === undefined ? content : withFinalDot(content, nameAt);
  return hasPriority ? `${priority} ${data}` : data;
}

function withFinalDot(content: string, nameAt: number): string {
  const tokens = splitTokens(content) ?? [];
  const isRelative = (token: string, index: number): boolean => index === nameAt && !token.endsWith(".");
  return tokens.map((token, index) => (isRelative(token, index) ? `${token}.` : token)).join(" ");
}
