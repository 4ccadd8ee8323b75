import { completeRedirect, parseSource, printSource, type Redirect, type SentRedirect } from "./redirects.ts";

export interface FoundRedirect {
  readonly redirect: Redirect;
  readonly location: string;
}

const urlParts = /^(https?):\/\/([^/?#]+)([^?#]*)(\?[^#]*)?/i;
/** Slashes in a source path up to which subpaths match too. */
const slashesMax = 16;

/**
 * The redirects of a list by source: a lookup tries the hosts and paths above a URL instead of reading every
 * redirect.
 */
export class RedirectIndex {
  readonly #bySource = new Map<string, Redirect>();
  // A URL may be too long to try every combination of its host suffixes and path prefixes.
  readonly #hosts = new Set<string>();
  readonly #paths = new Set<string>();

  add(sent: SentRedirect): void {
    const redirect = completeRedirect(sent);
    const source = parseSource(redirect.source_url);
    if (source === undefined) return;
    this.#bySource.set(printSource(source), redirect);
    this.#hosts.add(source.host);
    this.#paths.add(source.path);
  }

  /**
   * Finds the redirect of a URL. Of several, the longest path goes first, then the exact host and the longest
   * one above it, then the one that names the scheme.
   */
  find(url: string): FoundRedirect | undefined {
    const [, sentScheme = "", authority = "", sentPath = "", query = ""] = urlParts.exec(url) ?? [];
    const scheme = sentScheme.toLowerCase() as "http" | "https";
    const path = sentPath === "" ? "/" : sentPath;
    const exact = authority.toLowerCase().replace(/:\d+$/, "");
    const hosts = hostsAbove(exact).filter((host) => this.#hosts.has(host));
    if (hosts.length === 0) return undefined;
    for (const matched of pathsAbove(path).filter((one) => this.#paths.has(one))) {
      for (const host of hosts) {
        for (const one of [scheme, undefined] as const) {
          const redirect = this.#bySource.get(printSource({ scheme: one, host, path: matched }));
          if (redirect === undefined) continue;
          if (host !== exact && !redirect.include_subdomains) continue;
          if (matched !== path && !redirect.subpath_matching) continue;
          return { redirect, location: locationOf(redirect, path.slice(matched.length), query) };
        }
      }
    }
    return undefined;
  }
}

const hostLengthMax = 253;

/** The host itself, followed by those above it. */
function hostsAbove(host: string): string[] {
  if (host === "" || host.length > hostLengthMax) return [];
  const labels = host.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The path itself, followed by those that it is below, the longest first: `/a/b`, `/a/`, `/a`, `/`. */
function pathsAbove(path: string): string[] {
  const shorter: string[] = [];
  let slashes = 0;
  for (
    let end = path.indexOf("/");
    end !== -1 && slashes < slashesMax + 1;
    end = path.indexOf("/", end + 1)
  ) {
    slashes += 1;
    if (end > 0) shorter.push(path.slice(0, end));
    shorter.push(path.slice(0, end + 1));
  }
  return [path, ...shorter.toReversed().filter((one) => one !== path)];
}

const targetParts = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?)([^?#]*)(\?[^#]*)?(#.*)?$/i;

function locationOf(redirect: Redirect, suffix: string, query: string): string {
  const { target_url, subpath_matching, preserve_path_suffix, preserve_query_string } = redirect;
  const [, start = target_url, path = "", ownQuery = "", fragment = ""] = targetParts.exec(target_url) ?? [];
  const kept = subpath_matching && preserve_path_suffix ? suffix : "";
  return start + joined(path, kept) + (preserve_query_string ? query : ownQuery) + fragment;
}

function joined(path: string, suffix: string): string {
  if (suffix === "") return path;
  if (path.endsWith("/")) return path + suffix.replace(/^\//, "");
  return suffix.startsWith("/") ? path + suffix : `${path}/${suffix}`;
}
