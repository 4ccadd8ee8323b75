import type { UrlPattern } from "../page-rules/url-pattern.ts";

/** The URL pattern of a page rule as a filter expression that matches the same requests. */
export function urlExpression({ scheme, host, port, path, hasQuery }: UrlPattern): string {
  const conditions = [
    ...(scheme === undefined ? [] : [scheme === "https" ? "ssl" : "not ssl"]),
    ...(port === undefined ? [] : [`cf.edge.server_port eq ${port}`]),
    ...compare("http.host", host),
    ...compare(hasQuery ? "http.request.uri" : "http.request.uri.path", path),
  ];
  return conditions.join(" and ");
}

/** Hosts are lower case on both sides; paths are not, so their case counts. */
function compare(field: string, glob: string): string[] {
  // The language refuses adjacent stars, which mean the same as one.
  const stars = glob.replaceAll(/\*+/g, "*");
  if (stars === "*" || (field !== "http.host" && stars === "/*")) return [];
  if (!stars.includes("*")) return [`${field} eq ${quote(stars)}`];
  return [`${field} strict wildcard ${quote(stars.replaceAll("\\", "\\\\"))}`];
}

/** As a raw string if a quoted one would need escapes. */
function quote(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`;
  const fences = Array.from(text.matchAll(/"(#*)/g), ([, found = ""]) => found.length);
  const hashes = "#".repeat(Math.max(0, ...fences) + 1);
  return `r${hashes}"${text}"${hashes}`;
}
