/** The cursor for the items after or before a key. */
export function cursorOf(side: "after" | "before", key: string): string {
  return `${side === "after" ? "a" : "b"}${Buffer.from(key).toString("base64url")}`;
}

/** Parses a cursor; undefined for any other text. */
export function readCursor(
  cursor: string,
): { readonly after: string } | { readonly before: string } | undefined {
  const side = cursor.startsWith("a") ? "after" : "before";
  const key = Buffer.from(cursor.slice(1), "base64url").toString();
  if (cursorOf(side, key) !== cursor || key.includes("\0")) return undefined;
  return side === "after" ? { after: key } : { before: key };
}
