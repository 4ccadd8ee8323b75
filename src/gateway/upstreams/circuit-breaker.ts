/** Failures in a row after which an upstream is left alone. */
const failuresMax = 5;
const openMsFirst = 2_000;
const openMsMax = 60_000;

/** Keeps calls away from an upstream that fails, and lets one through now and then to see whether it is back. */
export interface CircuitBreaker {
  /** Whether a call may go through now. Where it is open and its time is over, one may: the probe. */
  readonly admits: () => boolean;
  /** To be called when a call goes out; the answer is to be given to one of the three below. */
  readonly begin: () => void;
  readonly succeed: () => void;
  readonly fail: () => void;
  /** The call was given up and says nothing. */
  readonly forget: () => void;
  /** Leaves the upstream alone for as long as it asked for. */
  readonly pause: (ms: number) => void;
}

/** `nowMs` is a monotonic clock. */
export function createCircuitBreaker(nowMs: () => number = () => performance.now()): CircuitBreaker {
  let failures = 0;
  let openUntilMs = 0;
  let openMs = openMsFirst;
  let isProbing = false;
  const isOpen = (): boolean => failures >= failuresMax || openUntilMs > nowMs();

  return {
    admits: () => !isOpen() || (nowMs() >= openUntilMs && !isProbing),
    begin: () => {
      if (isOpen()) isProbing = true;
    },
    succeed: () => {
      failures = 0;
      openMs = openMsFirst;
      openUntilMs = 0;
      isProbing = false;
    },
    fail: () => {
      failures += 1;
      isProbing = false;
      if (failures < failuresMax) return;
      openUntilMs = nowMs() + openMs;
      openMs = Math.min(2 * openMs, openMsMax);
    },
    forget: () => {
      isProbing = false;
    },
    pause: (ms) => {
      openUntilMs = Math.max(openUntilMs, nowMs() + Math.min(ms, openMsMax));
    },
  };
}
