/** Consecutive failures after which the breaker opens. */
const failuresMax = 5;
const openMsFirst = 2_000;
const openMsMax = 60_000;

/** Stops calls to an upstream that fails, and lets a probe through from time to time. */
export interface CircuitBreaker {
  /** Whether a call may be sent now. One may when an open breaker's time is over: the probe. */
  readonly admits: () => boolean;
  /** Must be called before each call, and `succeed`, `fail` or `forget` after it. */
  readonly begin: () => void;
  readonly succeed: () => void;
  readonly fail: () => void;
  /** The call was aborted, which says nothing about the upstream. */
  readonly forget: () => void;
  /** Opens the breaker for a time that the upstream asked for. */
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
