/** Whether a field of an untrusted body is given; null means that it is not. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const decimal = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** A JSON number, or one in a text, as shell scripts and dns-lexicon send it; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimal.test(value) ? Number(value) : undefined;
}
