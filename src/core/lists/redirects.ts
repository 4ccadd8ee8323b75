export const redirectStatusCodes = [301, 302, 307, 308] as const;

/** A redirect with all its options. */
export interface Redirect {
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
export interface RedirectSource {
  readonly scheme: "http" | "https" | undefined;
  /** The host in ASCII and lower case. */
  readonly host: string;
  /** The path as written; it begins with a slash. */
  readonly path: string;
}

/** Characters of either URL. */
export const redirectUrlLengthMax = 32 * 1024;

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
