import { errorCodes } from "../../error-codes.ts";
import { dnsError } from "./dns-error.ts";

const labelSeparators = /[.\u3002\uff0e\uff61]/;
const dnsLabel = /^[a-z0-9_-]{1,63}$/;
const hostnameLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const asciiOnly = /^\p{ASCII}*$/u;
const internationalLabel = /^[A-Za-z0-9_\P{ASCII}-]*$/u;

const nameOctetsMax = 253;
// IDNA drops some characters, so a valid name may be longer in Unicode; this only bounds the work.
const inputLengthMax = 1024;

/**
 * The ASCII form of a DNS name: lower-case, international labels in Punycode (RFC 5890), ideographic full
 * stops read as dots, one final dot cut. Letters, digits, `-` and `_` make a label; `*` may be the whole
 * first one (RFC 4592). Undefined for anything else, labels above 63 octets and names above 253 (RFC 1035).
 */
export function toAsciiName(input: string): string | undefined {
  if (input.length > inputLengthMax) return undefined;
  const labels = input.split(labelSeparators);
  if (labels.length > 1 && labels.at(-1) === "") labels.pop();

  const ascii = labels.map(toAsciiLabel);
  const isName = ascii.every((label, index) => dnsLabel.test(label) || (label === "*" && index === 0));
  const name = ascii.join(".");
  return isName && name.length <= nameOctetsMax ? name : undefined;
}

/** An empty string, which no name can hold, stands for a label that has no ASCII form. */
function toAsciiLabel(label: string): string {
  if (asciiOnly.test(label)) return label.toLowerCase();
  if (!internationalLabel.test(label)) return "";
  // The second label keeps a label of digits from being read as an IPv4 address.
  const url = `http://${label}.x`;
  return URL.canParse(url) ? new URL(url).hostname.slice(0, -".x".length) : "";
}

/**
 * The name of a record as a fully qualified ASCII name without final dot. `@`, the empty string and the
 * zone's own name mean the apex; a name outside the zone is relative to it unless it ends with a dot.
 * `zoneName` is a result of `parseZoneName`. Errors: 9000 at `pointer`.
 */
export function qualifyName(input: unknown, zoneName: string, pointer = "/name"): string {
  const name = typeof input === "string" ? qualify(input, zoneName) : undefined;
  if (name === undefined) throw dnsError(errorCodes.dnsRecords.invalidName, "DNS name is invalid.", pointer);
  return name;
}

function qualify(input: string, zoneName: string): string | undefined {
  if (input === "" || input === "@") return zoneName;
  const name = toAsciiName(input);
  if (name === undefined) return undefined;
  if (isWithin(name, zoneName)) return name;
  const isAbsolute = labelSeparators.test(input.slice(-1));
  return isAbsolute ? undefined : toAsciiName(`${name}.${zoneName}`);
}

/**
 * The name of a zone: a hostname of at least two labels in ASCII, lower-case, without final dot. Undefined if the input
 * is not one.
 */
export function parseZoneName(input: string): string | undefined {
  const name = toAsciiName(input);
  return name !== undefined && name.includes(".") && isHostname(name) ? name : undefined;
}

/**
 * Whether a result of `toAsciiName` is a hostname: only letters, digits and inner hyphens, and a last label
 * that is not a number, which would make it look like an IPv4 address (RFC 1123 section 2.1).
 */
export function isHostname(ascii: string): boolean {
  return ascii.split(".").every((label) => hostnameLabel.test(label)) && !endsInNumber(ascii);
}

/** Whether the last label is a number, so that the name would be taken for an IPv4 address. */
function endsInNumber(ascii: string): boolean {
  return /(?:^|\.)\d+$/.test(ascii);
}

/** Whether an ASCII name without final dot is `ancestor` or below it; every name is below the root, "". */
export function isWithin(name: string, ancestor: string): boolean {
  return ancestor === "" || name === ancestor || name.endsWith(`.${ancestor}`);
}

/**
 * The name a record points to, in ASCII, lower-case, without final dot. `@` is the zone's apex; a name is never
 * relative, as answers hold targets without a final dot (docs/contract/dns-records.md#targets). Underscores are allowed
 * (RFC 2782); IP addresses, wildcards and the root are not. Undefined when the input is no such name.
 */
export function parseTarget(input: string, zoneName: string): string | undefined {
  if (input === "@") return zoneName;
  const name = toAsciiName(input);
  return name === undefined || endsInNumber(name) || name.startsWith("*") ? undefined : name;
}

/**
 * Does the same as `parseTarget`, but `.` stays: null MX (RFC 7505), null SRV (RFC 2782), own name in SVCB (RFC
 * 9460).
 */
export function parseTargetOrRoot(input: string, zoneName: string): string | undefined {
  return input === "." ? input : parseTarget(input, zoneName);
}

/**
 * Does the same as `parseTargetOrRoot`, but keeps a final dot that was sent: clients that manage NAPTR, SVCB and
 * HTTPS records compare the target they read with the one they wrote, and would plan a change for ever.
 */
export function parseTargetAsSent(input: string, zoneName: string): string | undefined {
  const target = parseTargetOrRoot(input, zoneName);
  return target !== undefined && target !== "." && input.endsWith(".") ? `${target}.` : target;
}

/** The target without its final dot, for comparison; the root keeps it. */
export function withoutFinalDot(text: string): string {
  return text.replace(/(?<=[^ .])\.$/, "");
}

/** Octets of an uncompressed name on the wire (RFC 1035 section 3.1). */
export function targetOctets(target: string): number {
  return target === "." ? 1 : withoutFinalDot(target).length + 2;
}
