/** The text by which a client asks for what is after or before a key. */
export function cursorOf(side: "after" | "before", key: string): string {
  return `${side === "after" ? "a" : "b"}${Buffer.from(key).toString("base64url")}`;
}

/** What a cursor stands for; undefined for a text that is none. */
export function readCursor(
  cursor: string,
): { readonly after: string } | { readonly before: string } | undefined {
  const side = cursor.startsWith("a") ? "after" : "before";
  const key = Buffer.from(cursor.slice(1), "base64url").toString();
  if (cursorOf(side, key) !== cursor || key.includes("\0")) return undefined;
  return side === "after" ? { after: key } : { before: key };
}
