import { isWordOctet } from "./octets.ts";
import { assertionKinds, code, type Program } from "./program.ts";

/** The start and end of each of the captures that rules read, `TX:0` to `TX:9`. */
const slotsMax = 20;

/** An instruction and the capture positions on the way to it. */
interface Thread {
  readonly at: number;
  readonly slots: readonly number[];
}

/**
 * The first match of a program and its capture groups, as PCRE finds them: leftmost, and the preferred
 * alternative among those. Takes time proportional to the text times the program (Pike's virtual machine).
 */
export function findGroups(program: Program, bytes: string): (string | undefined)[] | undefined {
  const { codes, next, other, sets, start } = program;
  const marks = new Int32Array(codes.length).fill(-1);
  let found: readonly number[] | undefined;
  let threads: Thread[] = [];
  for (let position = 0; position <= bytes.length; position += 1) {
    const reached: Thread[] = [];
    const octet = bytes.charCodeAt(position);
    for (const { at, slots } of threads) addThreads(program, bytes, position, { at, slots }, marks, reached);
    if (found === undefined) {
      addThreads(program, bytes, position, { at: start, slots: [position] }, marks, reached);
    }
    if (reached.length === 0 && found !== undefined) break;
    threads = [];
    for (const { at, slots } of reached) {
      if (codes[at] === code.match) {
        found = withSlot(slots, 1, position);
        // The remaining threads have lower priority.
        break;
      }
      if (sets[other[at] ?? 0]?.[octet] === 1) threads.push({ at: next[at] ?? 0, slots });
    }
    if (threads.length === 0 && found !== undefined) break;
  }
  return found && textsOf(found, bytes);
}

/** Adds the threads that are reached without an octet, the preferred ones first. */
function addThreads(
  { codes, next, other }: Program,
  bytes: string,
  position: number,
  from: Thread,
  marks: Int32Array,
  reached: Thread[],
): void {
  const waiting = [from];
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    const { at, slots } = thread;
    if (marks[at] === position) continue;
    marks[at] = position;
    const [following = 0, operand = 0] = [next[at], other[at]];
    const instruction: number = codes[at] ?? code.match;
    switch (instruction) {
      case code.split:
        waiting.push({ at: operand, slots }, { at: following, slots });
        break;
      case code.save:
        waiting.push({ at: following, slots: withSlot(slots, operand, position) });
        break;
      case code.assertion:
        if (holdsAt(operand, bytes, position)) waiting.push({ at: following, slots });
        break;
      default:
        reached.push(thread);
    }
  }
}

function withSlot(slots: readonly number[], slot: number, position: number): readonly number[] {
  if (slot >= slotsMax) return slots;
  const changed = [...slots];
  changed[slot] = position;
  return changed;
}

function holdsAt(assertion: number, bytes: string, position: number): boolean {
  const kind = assertionKinds[assertion];
  if (kind === "start") return position === 0;
  if (kind === "end") return position === bytes.length;
  const before = position > 0 && isWordOctet(bytes.charCodeAt(position - 1));
  const after = position < bytes.length && isWordOctet(bytes.charCodeAt(position));
  return (before !== after) === (kind === "boundary");
}

function textsOf(slots: readonly number[], bytes: string): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let slot = 0; slot < slots.length; slot += 2) {
    const [start, end] = [slots[slot], slots[slot + 1]];
    texts.push(start === undefined || end === undefined ? undefined : bytes.slice(start, end));
  }
  return texts;
}
