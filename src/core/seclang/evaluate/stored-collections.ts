const names = ["TX", "IP", "GLOBAL", "SESSION", "USER"] as const;

const known: ReadonlySet<string> = new Set(names);

/** A collection that rules write. All of them last for one request. */
export type StoredCollection = (typeof names)[number];

export function isStoredCollection(name: string): name is StoredCollection {
  return known.has(name);
}
