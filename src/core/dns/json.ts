/** Whether a field of an untrusted body is there; null means that it is not. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether untrusted JSON is an object with fields. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
