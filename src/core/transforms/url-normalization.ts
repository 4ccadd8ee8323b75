import { encodeText } from "../expression/byte-string.ts";

/** The normalization of the URLs of a zone's requests. */
export interface UrlNormalization {
  /** `cloudflare` also takes `\` for `/` and several `/` for one. */
  readonly type: "rfc3986" | "cloudflare";
  /** `incoming` is what rules see, `both` is also what the origin gets; with `none` it is neither. */
  readonly scope: "incoming" | "both" | "none";
}

/** The normalization of a zone that has not chosen one. */
export const defaultUrlNormalization: UrlNormalization = { type: "cloudflare", scope: "incoming" };

export function incomingPath(path: string, { type, scope }: UrlNormalization): string {
  return scope === "none" ? path : normalizePath(path, type);
}

/**
 * The path as the origin gets it, unless a rule rewrote it. Separators that rules saw as one are one for the
 * origin too, whatever the scope: `//admin` and `/\admin` must not lead past a rule for `/admin`.
 */
export function originPath(path: string, { type, scope }: UrlNormalization): string {
  if (scope === "both") return normalizePath(path, type);
  return type === "cloudflare" && scope === "incoming" ? withOneSeparator(path) : path;
}

function withOneSeparator(path: string): string {
  return path.replaceAll("\\", "/").replaceAll(/\/{2,}/g, "/");
}

/**
 * An escape, or a character that is invalid in a path (RFC 3986, section 3.3), except for the brackets, which
 * are reserved.
 */
const rewritten = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]/g;

/**
 * Decodes unreserved characters, escapes characters that are invalid in a path, writes escapes in upper case,
 * and removes dot segments (RFC 3986, sections 6.2.2 and 5.2.4). The percent sign of a malformed escape is
 * escaped itself, so that decoding the text after it never completes an escape.
 */
export function normalizePath(path: string, type: UrlNormalization["type"]): string {
  const merged = type === "rfc3986" ? path : withOneSeparator(path);
  const spelled = encodeText(merged).replaceAll(rewritten, (part) => {
    if (part.length === 1) return `%${part.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : part.toUpperCase();
  });
  return removeDotSegments(spelled);
}

function removeDotSegments(path: string): string {
  const segments: string[] = [];
  const parts = path.split("/").slice(1);
  for (const [index, segment] of parts.entries()) {
    const isDots = segment === "." || segment === "..";
    if (segment === "..") segments.pop();
    if (!isDots) segments.push(segment);
    else if (index === parts.length - 1) segments.push("");
  }
  return `/${segments.join("/")}`;
}
