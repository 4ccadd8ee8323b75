import { decodeText } from "../expression/byte-string.ts";
import { isIpAddress, type Value } from "../expression/context.ts";
import { parseIpRange } from "../net/ip-range.ts";
import { RangeSet } from "../net/range-set.ts";
import type { ListedHostname, ListItemValue } from "./items.ts";
import type { ListKind } from "./kinds.ts";
import { RedirectIndex, type FoundRedirect } from "./redirects.ts";

/** The items of a list, indexed so that a lookup does not read all of them. */
export interface ListContents {
  /** Items must be added in the order of their keys. */
  readonly add: (value: ListItemValue) => void;
  readonly has: (value: Value) => boolean;
  /** The redirect for a URL; undefined if there is none, or the list is of another kind. */
  readonly redirectFor: (url: string) => FoundRedirect | undefined;
}

export function createContents(kind: ListKind): ListContents {
  switch (kind) {
    case "ip":
      return addresses();
    case "asn":
      return numbers();
    case "hostname":
      return hostnames();
    case "redirect":
      return redirects();
  }
}

const noRedirect = () => undefined;

function addresses(): ListContents {
  const ranges = new RangeSet();
  return {
    add: (value) => {
      const range = "ip" in value ? parseIpRange(value.ip) : undefined;
      if (range !== undefined) ranges.add(range);
    },
    has: (value) => isIpAddress(value) && ranges.has(value),
    redirectFor: noRedirect,
  };
}

function numbers(): ListContents {
  const all = new Set<Value>();
  return {
    add: (value) => void ("asn" in value && all.add(value.asn)),
    has: (value) => all.has(value),
    redirectFor: noRedirect,
  };
}

function hostnames(): ListContents {
  const exact = new Set<string>();
  /** Names whose subdomains are all in the list. */
  const above = new Set<string>();
  const add = ({ url_hostname, exclude_exact_hostname = true }: ListedHostname): void => {
    const isWildcard = url_hostname.startsWith("*.");
    const name = isWildcard ? url_hostname.slice(2) : url_hostname;
    if (isWildcard) above.add(name);
    if (!isWildcard || !exclude_exact_hostname) exact.add(name);
  };
  return {
    add: (value) => void ("hostname" in value && add(value.hostname)),
    has: (value) => {
      if (typeof value !== "string") return false;
      const host = value.toLowerCase().replace(/:\d+$/, "");
      if (exact.has(host)) return true;
      for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
        if (above.has(host.slice(dot + 1))) return true;
      }
      return false;
    },
    redirectFor: noRedirect,
  };
}

function redirects(): ListContents {
  const index = new RedirectIndex();
  const redirectFor = (url: string) => index.find(url);
  return {
    add: (value) => void ("redirect" in value && index.add(value.redirect)),
    has: (value) => typeof value === "string" && redirectFor(decodeText(value) ?? value) !== undefined,
    redirectFor,
  };
}
