/** The query of a request: one value a name. */
export type Query = Readonly<Record<string, string>>;

/**
 * Parses a query string as the clients write it: `a.b=c` and `a[b]=c` are the same, a parameter said more
 * than once is one comma list (`type=A&type=AAAA`), a malformed escape stands for itself.
 */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  if (text === "") return query;
  for (const [rawName, value] of new URLSearchParams(text)) {
    const name = rawName.replaceAll(/\[([^\]]*)\]/g, (_, inner: string) => (inner === "" ? "" : `.${inner}`));
    const earlier = query[name];
    query[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return query;
}
