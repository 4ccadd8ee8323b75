import type { UrlPattern } from "../page-rules/url-pattern.ts";

export function urlExpression({ scheme, host, port, path, hasQuery }: UrlPattern): string {
  const conditions = [
    ...(scheme === undefined ? [] : [scheme === "https" ? "ssl" : "not ssl"]),
    ...(port === undefined ? [] : [`cf.edge.server_port eq ${port}`]),
    ...compare("http.host", host),
    ...compare(hasQuery ? "http.request.uri" : "http.request.uri.path", path),
  ];
  return conditions.join(" and ");
}

/**
 * Compares a field with a glob. Both are in lower case, and so are hosts of requests; `wildcard` takes paths
 * in any case.
 */
function compare(field: string, glob: string): string[] {
  // The language refuses adjacent stars.
  const stars = glob.replaceAll(/\*+/g, "*");
  if (stars === "*" || (field !== "http.host" && stars === "/*")) return [];
  const isAnyCase = field !== "http.host" && /[a-z]/.test(stars);
  if (!isAnyCase && !stars.includes("*")) return [`${field} eq ${quote(stars)}`];
  const operator = isAnyCase ? "wildcard" : "strict wildcard";
  return [`${field} ${operator} ${quote(stars.replaceAll("\\", "\\\\"))}`];
}

/** Quotes a text, as a raw string where quotes would need escapes. */
function quote(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`;
  const fences = Array.from(text.matchAll(/"(#*)/g), ([, found = ""]) => found.length);
  const hashes = "#".repeat(Math.max(0, ...fences) + 1);
  return `r${hashes}"${text}"${hashes}`;
}
