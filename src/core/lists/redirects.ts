export const redirectStatusCodes = [301, 302, 307, 308] as const;

interface Redirect {
  readonly source_url: string;
  readonly target_url: string;
  readonly status_code: (typeof redirectStatusCodes)[number];
  readonly include_subdomains: boolean;
  readonly subpath_matching: boolean;
  readonly preserve_query_string: boolean;
  readonly preserve_path_suffix: boolean;
}

export type SentRedirect = Pick<Redirect, "source_url" | "target_url"> & Partial<Redirect>;

/** The scheme, host and path of the URLs that a redirect applies to. */
interface RedirectSource {
  readonly scheme: "http" | "https" | undefined;
  readonly host: string;
  /** The path as written; it begins with a slash. */
  readonly path: string;
}

/** Characters of either URL. */
export const redirectUrlLengthMax = 32 * 1024;

/** Slashes in a source path up to which subpaths match too. */
const slashesMax = 16;
const sourceParts = /^(?:(https?):\/\/)?([^/?#@:\s\\[\]*]+)(\/[^?#\s]*)?$/i;
const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** The parts of a source URL; undefined if it is not valid as one. */
export function parseSource(text: string): RedirectSource | undefined {
  const [, scheme, name = "", path = "/"] = sourceParts.exec(text) ?? [];
  const url = `http://${name}/`;
  const host = name !== "" && URL.canParse(url) ? new URL(url).hostname : "";
  if (!hostName.test(host)) return undefined;
  return { scheme: scheme?.toLowerCase() as RedirectSource["scheme"], host, path };
}

export function printSource({ scheme, host, path }: RedirectSource): string {
  return `${scheme === undefined ? "" : `${scheme}://`}${host}${path}`;
}

/** The members of a redirect that were sent, in the order in which they are answered. */
export function storedRedirect(sent: SentRedirect): SentRedirect {
  const members = Object.keys(completeRedirect(sent)) as (keyof Redirect)[];
  const given = members.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, sent[name]])) as unknown as SentRedirect;
}

export function completeRedirect(sent: SentRedirect): Redirect {
  return {
    source_url: sent.source_url,
    target_url: sent.target_url,
    status_code: sent.status_code ?? 301,
    include_subdomains: sent.include_subdomains ?? false,
    subpath_matching: sent.subpath_matching ?? false,
    preserve_query_string: sent.preserve_query_string ?? false,
    preserve_path_suffix: sent.preserve_path_suffix ?? true,
  };
}

/** The invalid field of a redirect and the violated rule; undefined if it is valid. */
export function redirectIssue(
  redirect: Redirect,
): { readonly field: string; readonly rule: string } | undefined {
  const { source_url, target_url, subpath_matching, preserve_query_string } = redirect;
  const source = parseSource(source_url);
  if (source === undefined) {
    return {
      field: "source_url",
      rule: "must be a host and a path, with http:// or https:// in front or without, and no port, user, query, fragment or wildcard",
    };
  }
  if (subpath_matching && source.path.split("/").length - 1 > slashesMax) {
    return {
      field: "source_url",
      rule: `must have at most ${slashesMax} slashes in its path with subpath_matching`,
    };
  }
  if (!URL.canParse(target_url)) return { field: "target_url", rule: "must be an absolute URL" };
  if (preserve_query_string && new URL(target_url).search !== "") {
    return { field: "target_url", rule: "must have no query with preserve_query_string" };
  }
  return undefined;
}

export interface FoundRedirect {
  readonly redirect: Redirect;
  readonly location: string;
}

const urlParts = /^(https?):\/\/([^/?#]+)([^?#]*)(\?[^#]*)?/i;

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
