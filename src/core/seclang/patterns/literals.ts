import type { PatternNode } from "./node.ts";
import type { OctetSet } from "./octets.ts";

/**
 * Lower-case literals at least one of which every match of a pattern contains; undefined if none are known. A
 * value without any of them need not be matched at all.
 */
export function requiredLiterals(root: PatternNode): readonly string[] | undefined {
  const { exact, required } = knownOf(root);
  return better(usable(exact), required);
}

/** What is known of the texts that a part of a pattern matches, in lower case. */
interface Known {
  /** All texts that it matches; undefined if there are too many. */
  readonly exact: readonly string[] | undefined;
  /** Literals at least one of which each of its matches contains. */
  readonly required: readonly string[] | undefined;
}

const nothing: Known = { exact: undefined, required: undefined };
const empty: Known = { exact: [""], required: undefined };
const exactMax = 48;
const requiredMax = 400;
const lengthMin = 2;
const lengthMax = 24;
const classMax = 6;

function knownOf(node: PatternNode): Known {
  switch (node.kind) {
    case "octet":
      return ofOctets(node.octets);
    case "sequence":
      return inSequence(node.parts);
    case "alternatives":
      return anyOf(node.branches.map(knownOf));
    case "repetition":
      return repeated(knownOf(node.part), node.least, node.most);
    case "group":
      return knownOf(node.part);
    case "reference":
      return nothing;
    case "assertion":
    case "look-around":
      return empty;
  }
}

/** Most sets occur in many patterns. */
const knownOctets = new WeakMap<OctetSet, Known>();

function ofOctets(octets: OctetSet): Known {
  const known = knownOctets.get(octets) ?? findOctets(octets);
  knownOctets.set(octets, known);
  return known;
}

function findOctets(octets: OctetSet): Known {
  const members: string[] = [];
  for (let octet = octets.indexOf(1); octet >= 0; octet = octets.indexOf(1, octet + 1)) {
    const member = lowerOctet(octet);
    if (!members.includes(member)) members.push(member);
    if (members.length > classMax) return nothing;
  }
  return { exact: members, required: undefined };
}

function lowerOctet(octet: number): string {
  return String.fromCharCode(octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet);
}

function repeated(part: Known, least: number, most: number): Known {
  if (least === 0) {
    return most === 1 ? { exact: part.exact && limited(["", ...part.exact]), required: undefined } : nothing;
  }
  if (least === 1 && most === 1) return part;
  return { exact: undefined, required: better(usable(part.exact), part.required) };
}

function inSequence(parts: readonly PatternNode[]): Known {
  let run: readonly string[] = [""];
  let required: readonly string[] | undefined;
  let isWhole = true;
  for (const part of parts.map(knownOf)) {
    const joined = part.exact && joinedWith(run, part.exact);
    required = better(required, part.required);
    if (joined === undefined) {
      required = better(required, better(usable(run), usable(part.exact)));
      isWhole = false;
    }
    run = joined ?? part.exact ?? [""];
  }
  return { exact: isWhole ? run : undefined, required: better(required, usable(run)) };
}

function joinedWith(starts: readonly string[], ends: readonly string[]): readonly string[] | undefined {
  if (starts.length * ends.length > exactMax) return undefined;
  if (starts.length === 1 && ends.length === 1) return limited([`${starts[0]}${ends[0]}`]);
  return limited(starts.flatMap((start) => ends.map((end) => start + end)));
}

function anyOf(branches: readonly Known[]): Known {
  const exact = branches.every((branch) => branch.exact !== undefined)
    ? limited(branches.flatMap((branch) => branch.exact ?? []))
    : undefined;
  const each = branches.map((branch) => better(usable(branch.exact), branch.required));
  const all = each.flatMap((texts) => texts ?? []);
  const required = each.includes(undefined) || all.length > requiredMax ? undefined : [...new Set(all)];
  return { exact, required };
}

function limited(texts: readonly string[]): readonly string[] | undefined {
  const distinct = texts.length === 1 ? texts : [...new Set(texts)];
  const isLimited = distinct.length <= exactMax && distinct.every(({ length }) => length <= lengthMax);
  return isLimited ? distinct : undefined;
}

/** Literals are useful only if most values contain none of them. */
function usable(texts: readonly string[] | undefined): readonly string[] | undefined {
  return texts !== undefined && texts.length > 0 && texts.every(isTelling) ? texts : undefined;
}

function isTelling(text: string): boolean {
  return text.length >= lengthMin || /^[^\w\s./=&-]$/.test(text) || /^[\r\n\0]$/.test(text);
}

/** The more selective of two lists: longer literals first, then fewer. */
function better(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const [length, otherLength] = [shortest(first), shortest(second)];
  if (length !== otherLength) return length > otherLength ? first : second;
  return first.length <= second.length ? first : second;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}
