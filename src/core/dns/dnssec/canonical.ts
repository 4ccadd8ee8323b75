import { foldName, nameToOctets } from "../wire/names.ts";
import { octet } from "../wire/octets.ts";
import { foldNamesIn } from "../wire/rdata-layouts.ts";

/**
 * A sort key: comparing keys by code units gives the canonical order of names (RFC 4034 section 6.1). It
 * lists the labels from last to first, each followed by a 0, so that a name comes before those below it.
 */
export function orderKey(name: string): string {
  const octets = nameToOctets(foldName(name));
  const labels: string[] = [];
  for (let at = 0; octets.charCodeAt(at) !== 0; at += 1 + octets.charCodeAt(at)) {
    labels.push(octets.slice(at + 1, at + 1 + octets.charCodeAt(at)));
  }
  return labels.toReversed().map(aboveSeparator).join("\0");
}

function aboveSeparator(label: string): string {
  let key = "";
  for (let at = 0; at < label.length; at += 1) key += String.fromCharCode(label.charCodeAt(at) + 1);
  return key;
}

/** The data of a set in the form and order in which it is signed (RFC 4034 sections 6.2 and 6.3). */
export function canonicalRdatas(type: number, rdatas: readonly string[]): string[] {
  return [...new Set(rdatas.map((rdata) => foldNamesIn(type, rdata)))].toSorted(byOctets);
}

/** JavaScript compares texts by their code units, which here are octets. */
function byOctets(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/**
 * The value of the Labels field of an RRSIG: the root and a leading asterisk are not counted (RFC 4034
 * section 3.1.3).
 */
export function signedLabels(name: string): number {
  const octets = nameToOctets(name);
  let count = 0;
  for (let at = 0; octets.charCodeAt(at) !== 0; at += 1 + octets.charCodeAt(at)) count += 1;
  return octets.startsWith(`${octet(1)}*`) ? count - 1 : count;
}
