const samplesMax = 64;
const samplesMin = 16;
const floorMs = 25;

/** Remembers how long answers took, to tell when one is late. */
export interface Latencies {
  readonly add: (ms: number) => void;
  /** What nine in ten answers take, or `unknownMs` until enough is known. */
  readonly ninetiethMs: (unknownMs: number) => number;
}

/** Remembers the last 64 answers. */
export function createLatencies(): Latencies {
  const samples: number[] = [];
  let next = 0;
  let known: number | undefined;
  return {
    add: (ms) => {
      samples[next] = ms;
      next = (next + 1) % samplesMax;
      // Sorting at every answer would cost more than knowing it exactly is worth.
      if (next % samplesMin === 0) known = undefined;
    },
    ninetiethMs: (unknownMs) => {
      if (samples.length < samplesMin) return unknownMs;
      known ??= samples.toSorted((one, other) => one - other)[Math.floor(samples.length * 0.9)] ?? unknownMs;
      return Math.max(known, floorMs);
    },
  };
}
