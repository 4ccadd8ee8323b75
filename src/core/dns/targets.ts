import { endsInNumber, toAsciiName } from "./name.ts";

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

/** As `parseTarget`, but `.` stays: null MX (RFC 7505), null SRV (RFC 2782), own name in SVCB (RFC 9460). */
export function parseTargetOrRoot(input: string, zoneName: string): string | undefined {
  return input === "." ? input : parseTarget(input, zoneName);
}

/**
 * As `parseTargetOrRoot`, but keeps a final dot that was sent: clients that manage NAPTR, SVCB and HTTPS
 * records compare the target they read with the one they wrote, and would plan a change for ever.
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
