let areOn = false;
const listeners = new Set<() => void>();

/** Reads from the headers of an answer whether the server has its test controls on. */
export function noteTestControls(headers: Headers): void {
  const now = headers.has("zoneward-test-controls");
  if (now === areOn) return;
  areOn = now;
  for (const listener of listeners) listener();
}

/** Whether the last answer said that the test controls are on. */
export const testControls = {
  areOn: (): boolean => areOn,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
