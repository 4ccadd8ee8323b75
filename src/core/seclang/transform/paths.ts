/**
 * Removes empty segments, `.`, and `..` with the segment before it; a leading `..` of a relative path stays.
 */
export function normalizePath(bytes: string): string {
  if (!bytes.includes("/")) return bytes;
  const isAbsolute = bytes.startsWith("/");
  const segments = bytes.split("/");
  const last = segments.at(-1) ?? "";
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push(segment);
  }
  const isFolder = kept.length > 0 && (last === "" || last === "." || last === "..");
  return (isAbsolute ? "/" : "") + kept.join("/") + (isFolder ? "/" : "");
}

/** Normalizes a path that may have backslashes, like `normalizePath`. */
export function normalizeWindowsPath(bytes: string): string {
  return normalizePath(bytes.replaceAll("\\", "/"));
}
