export type OctetSet = Uint8Array;

export const octetCount = 256;

export const anyOctet: OctetSet = new Uint8Array(octetCount).fill(1);

const singles: readonly OctetSet[] = Array.from({ length: octetCount }, (_, octet) => setOf([octet]));
const caselessSingles: readonly OctetSet[] = singles.map((set) => withBothCases(set));

export function singleOctet(octet: number, isCaseless: boolean): OctetSet {
  return (isCaseless ? caselessSingles[octet] : singles[octet]) ?? anyOctet;
}

export function withBothCases(set: OctetSet): OctetSet {
  const both = Uint8Array.from(set);
  for (let upper = 0x41; upper <= 0x5a; upper += 1) {
    if (set[upper] === 1 || set[upper + 0x20] === 1) both[upper] = both[upper + 0x20] = 1;
  }
  return both;
}

export function complementOf(set: OctetSet): OctetSet {
  return set.map((member) => 1 - member);
}

/** The octets of ranges, given as pairs of first and last: `rangesOf([0x30, 0x39])`. */
function rangesOf(...ranges: readonly (readonly [first: number, last: number])[]): OctetSet {
  const set = new Uint8Array(octetCount);
  for (const [first, last] of ranges) set.fill(1, first, last + 1);
  return set;
}

export function membersOf(set: OctetSet): number[] {
  return Array.from(set.keys()).filter((octet) => set[octet] === 1);
}

function setOf(octets: readonly number[]): OctetSet {
  return rangesOf(...octets.map((octet) => [octet, octet] as const));
}

const digits = rangesOf([0x30, 0x39]);
const letters = rangesOf([0x41, 0x5a], [0x61, 0x7a]);
const words = rangesOf([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], [0x5f, 0x5f]);
const spaces = rangesOf([0x09, 0x0d], [0x20, 0x20]);
const blanks = rangesOf([0x09, 0x09], [0x20, 0x20]);

/** The sets of `\d` and similar escapes. */
export const letterClasses: Readonly<Record<string, OctetSet>> = {
  d: digits,
  D: complementOf(digits),
  w: words,
  W: complementOf(words),
  s: spaces,
  S: complementOf(spaces),
  h: blanks,
  H: complementOf(blanks),
  v: rangesOf([0x0a, 0x0d]),
  N: complementOf(setOf([0x0a])),
};

/** The sets of `[:digit:]` and similar names. */
export const namedClasses: Readonly<Record<string, OctetSet>> = {
  alnum: rangesOf([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]),
  alpha: letters,
  ascii: rangesOf([0, 0x7f]),
  blank: blanks,
  cntrl: rangesOf([0, 0x1f], [0x7f, 0x7f]),
  digit: digits,
  graph: rangesOf([0x21, 0x7e]),
  lower: rangesOf([0x61, 0x7a]),
  print: rangesOf([0x20, 0x7e]),
  punct: rangesOf([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]),
  space: spaces,
  upper: rangesOf([0x41, 0x5a]),
  word: words,
  xdigit: rangesOf([0x30, 0x39], [0x41, 0x46], [0x61, 0x66]),
};

/** Whether `\b` takes the octet for part of a word. */
export function isWordOctet(octet: number): boolean {
  return words[octet] === 1;
}
