import assert from "node:assert/strict";

/** A clock of CPU time may tick only every few milliseconds. */
const batchMs = 10;
const attemptsMax = 5;

interface Growth {
  /** Characters of the large input. */
  readonly length?: number;
  /** The number of small inputs that are as long as the large one. */
  readonly parts?: number;
}

/** Between 1, for what is linear, and the number of parts, for what grows with the square. */
const margin = 8;

/**
 * Asserts that work grows no faster than its input: one input of `length` characters must not cost more than eight
 * times what 256 inputs of a 256th of it cost together. Work that grows with the square of the length costs 256 times
 * as much. What the work throws is its answer.
 */
export async function assertLinear(
  title: string,
  work: (input: string) => unknown,
  inputOf: (length: number) => string,
  { length = 65_536, parts = 256 }: Growth = {},
): Promise<void> {
  const large = inputOf(length);
  const small = inputOf(length / parts);
  const onSmall = (times: number): Promise<number> => cpuMs(work, small, times * parts);
  const onLarge = (times: number): Promise<number> => cpuMs(work, large, times);
  let times = 1;
  // The first runs are also those in which the engine compiles.
  let smallMs = await onSmall(times);
  while (smallMs < batchMs) smallMs = await onSmall((times *= 2));
  const ratios: string[] = [];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const ratio = (await onLarge(times)) / Math.max(smallMs, batchMs / 2);
    if (ratio <= margin) return;
    ratios.push(ratio.toFixed(1));
    smallMs = await onSmall(times);
  }
  assert.fail(
    `${title}: each character of ${parts} times the length costs ${ratios.join(", ")} times as much`,
  );
}

/** CPU time of this thread: other work on the machine does not count. */
async function cpuMs(work: (input: string) => unknown, input: string, times: number): Promise<number> {
  const before = process.threadCpuUsage();
  for (let count = 0; count < times; count += 1) {
    try {
      const answer = work(input);
      if (answer instanceof Promise) await answer;
    } catch (error) {
      // An exhausted stack is no answer.
      if (error instanceof RangeError) throw error;
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
