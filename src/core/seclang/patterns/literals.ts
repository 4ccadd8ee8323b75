import type { PatternNode } from "./parse.ts";
import type { OctetSet } from "./octets.ts";

/**
 * Lower-case literals at least one of which every match of a pattern contains; undefined if none are known. A
 * value without any of them need not be matched at all.
 */
export function requiredLiterals(root: PatternNode): readonly string[] | undefined {
  const { exact, required } = knownOf(root);
  return mostSelective([exact, required]);
}

/** A list of texts; undefined if they are not known, or too many. */
type TextList = readonly string[] | undefined;

/** The knowledge about the texts that a part of a pattern matches, in lower case. */
interface Known {
  /** All texts that it matches. */
  readonly exact: TextList;
  /** Literals at least one of which each of its matches contains. */
  readonly required: TextList;
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

/** The knowledge about each set of octets, as many patterns share a set. */
const knownOctets = new WeakMap<OctetSet, Known>();

function ofOctets(octets: OctetSet): Known {
  const known = knownOctets.get(octets);
  if (known !== undefined) return known;
  const found = findOctets(octets);
  knownOctets.set(octets, found);
  return found;
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
    return most === 1 ? { exact: unionOf([[""], part.exact], exactMax), required: undefined } : nothing;
  }
  if (least === 1 && most === 1) return part;
  return { exact: undefined, required: mostSelective([part.exact, part.required]) };
}

function inSequence(parts: readonly PatternNode[]): Known {
  const found: TextList[] = [];
  let run: readonly string[] = [""];
  let isWhole = true;
  for (const part of parts) {
    const { exact, required } = knownOf(part);
    const joined = exact && joinedWith(run, exact);
    found.push(required);
    if (joined === undefined) {
      found.push(run, exact);
      isWhole = false;
    }
    run = joined ?? exact ?? [""];
  }
  found.push(run);
  return { exact: isWhole ? run : undefined, required: mostSelective(found) };
}

function joinedWith(starts: readonly string[], ends: readonly string[]): TextList {
  if (starts.length * ends.length > exactMax) return undefined;
  const joined: string[] = [];
  for (const start of starts) for (const end of ends) joined.push(start + end);
  if (joined.some(isLong)) return undefined;
  return starts.length === 1 || ends.length === 1 ? joined : [...new Set(joined)];
}

function anyOf(branches: readonly Known[]): Known {
  const exact = unionOf(
    branches.map((branch) => branch.exact),
    exactMax,
  );
  return {
    exact: exact?.some(isLong) === false ? exact : undefined,
    required: unionOf(
      branches.map((branch) => mostSelective([branch.exact, branch.required])),
      requiredMax,
    ),
  };
}

/** The distinct texts of all lists; undefined if one is unknown, or if there are too many. */
function unionOf(lists: readonly TextList[], most: number): TextList {
  const texts = new Set<string>();
  for (const list of lists) {
    if (list === undefined) return undefined;
    for (const text of list) texts.add(text);
    if (texts.size > most) return undefined;
  }
  return [...texts];
}

function isLong({ length }: string): boolean {
  return length > lengthMax;
}

/**
 * The most selective list: that with the longest shortest text, and of equal ones the shorter list. Only
 * selective texts count.
 */
function mostSelective(lists: readonly TextList[]): TextList {
  let best: TextList;
  let bestLength = 0;
  for (const list of lists) {
    if (list === undefined || list.length === 0) continue;
    const length = shortestOf(list);
    const isBetter = length > bestLength || (length === bestLength && list.length < (best?.length ?? 0));
    if (!isBetter || !list.every(isSelective)) continue;
    best = list;
    bestLength = length;
  }
  return best;
}

/** Whether most values lack the text, so that to look for it is worthwhile. */
function isSelective(text: string): boolean {
  return text.length >= lengthMin || /^[^\w\s./=&-]$/.test(text) || /^[\r\n\0]$/.test(text);
}

function shortestOf(texts: readonly string[]): number {
  let shortest = Infinity;
  for (const { length } of texts) if (length < shortest) shortest = length;
  return shortest;
}
