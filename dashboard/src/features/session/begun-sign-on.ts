/** What a browser keeps while its user is at the provider. */
interface BegunSignOn {
  readonly secret: string;
  /** Path of this origin to go on at. */
  readonly next: string;
}

const key = "zoneward-single-sign-on";

/** Kept for this tab alone. */
export function keepBegun(begun: BegunSignOn): void {
  sessionStorage.setItem(key, JSON.stringify(begun));
}

/** Undefined where this tab has begun nothing. It can be taken once. */
export function takeBegun(): BegunSignOn | undefined {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as BegunSignOn);
}
