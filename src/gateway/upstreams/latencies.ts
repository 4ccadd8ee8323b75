const samplesMax = 64;
const samplesMin = 16;
const floorMs = 25;

/** The latencies of recent answers, by which a late one is recognised. */
export interface Latencies {
  readonly add: (ms: number) => void;
  /** The 90th percentile, or `defaultMs` while there are too few samples. */
  readonly ninetiethMs: (defaultMs: number) => number;
}

/** Keeps the last 64 latencies. */
export function createLatencies(): Latencies {
  const samples: number[] = [];
  let next = 0;
  let cached: number | undefined;
  return {
    add: (ms) => {
      samples[next] = ms;
      next = (next + 1) % samplesMax;
      // An approximate percentile is enough: the samples are not sorted after every answer.
      if (next % samplesMin === 0) cached = undefined;
    },
    ninetiethMs: (defaultMs) => {
      if (samples.length < samplesMin) return defaultMs;
      cached ??= samples.toSorted((one, other) => one - other)[Math.floor(samples.length * 0.9)] ?? defaultMs;
      return Math.max(cached, floorMs);
    },
  };
}
