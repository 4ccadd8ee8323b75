import { errorCodes } from "../error-codes.ts";
import { AppError, invalidBody } from "../error.ts";
import { listKinds, type ListKind } from "./kinds.ts";
import {
  completeRedirect,
  parseSource,
  printSource,
  redirectIssue,
  storedRedirect,
  type SentRedirect,
} from "./redirects.ts";
import {
  addressBits,
  isIpv4Mapped,
  parseIpAddress,
  printIpAddress,
  type IpAddress,
} from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";
import type { Plan } from "../expression/phases.ts";

/** The shortest prefix of a range in a list, by version. */
const prefixBitsMin = { 4: 8, 6: 12 } as const;

export interface ListedHostname {
  readonly url_hostname: string;
  /** Whether the name without the `*.` of this one is excluded, as it is by default. */
  readonly exclude_exact_hostname?: boolean;
}

/** The value of an item, as stored and answered: the field of the list's kind. */
export type ListItemValue =
  | { readonly ip: string }
  | { readonly redirect: SentRedirect }
  | { readonly hostname: ListedHostname }
  | { readonly asn: number };

/** An item in a body, with checked types. */
export interface SentListItem {
  readonly ip?: string;
  readonly redirect?: SentRedirect;
  readonly hostname?: ListedHostname;
  readonly asn?: number;
  readonly comment?: string | null;
}

export interface ListedItem {
  readonly value: ListItemValue;
  readonly comment?: string;
  /** The key of an item, unique in its list; items are sorted by it. */
  readonly key: string;
  readonly searched: string;
}

/**
 * Reads an item for a list of the kind. Errors: 400 code 10012 for one of another kind, 10010 for a value
 * that such a list cannot hold, with a pointer.
 */
export function readListItem(kind: ListKind, sent: SentListItem, pointer: string): ListedItem {
  const { comment } = sent;
  const other = listKinds.find((one) => one !== kind && sent[one] !== undefined);
  if (other !== undefined) {
    throw new AppError(
      "invalid",
      errorCodes.lists.wrongKind,
      `items of type ${other} can not be added to lists of type ${kind}`,
      { pointer: `${pointer}/${other}` },
    );
  }
  return {
    ...readValue(kind, sent, pointer),
    ...(comment !== undefined && comment !== null && { comment }),
  };
}

function readValue(kind: ListKind, sent: SentListItem, pointer: string): Omit<ListedItem, "comment"> {
  const at = `${pointer}/${kind}`;
  switch (kind) {
    case "ip": {
      const address = parseListedAddress(sent.ip ?? missing(at));
      if (address === undefined) return refuse(at, addressRule);
      const { text, key } = address;
      return { value: { ip: text }, key, searched: text };
    }
    case "asn": {
      const asn = sent.asn ?? missing(at);
      return { value: { asn }, key: String(asn).padStart(10, "0"), searched: String(asn) };
    }
    case "hostname": {
      const { url_hostname, exclude_exact_hostname } = sent.hostname ?? missing(at);
      const name = parseListedHostname(url_hostname) ?? refuse(`${at}/url_hostname`, hostnameRule);
      const hostname = {
        url_hostname: name,
        ...(typeof exclude_exact_hostname === "boolean" && { exclude_exact_hostname }),
      };
      return { value: { hostname }, key: name, searched: name };
    }
    case "redirect": {
      const given = sent.redirect ?? missing(at);
      const redirect = completeRedirect(given);
      const issue = redirectIssue(redirect);
      const source = parseSource(redirect.source_url);
      if (issue !== undefined || source === undefined) {
        return refuse(`${at}/${issue?.field ?? "source_url"}`, issue?.rule ?? "must be a URL");
      }
      const searched = `${redirect.source_url} ${redirect.target_url}`.toLowerCase();
      return { value: { redirect: storedRedirect(given) }, key: printSource(source), searched };
    }
  }
}

const addressRule = `must be an IP address, or a range of /${prefixBitsMin[4]} to /32 (IPv4) or /${prefixBitsMin[6]} to /128 (IPv6)`;
const hostnameRule = "must be a host name of two labels or more, with `*.` in front or without";

function missing(pointer: string): never {
  return refuse(pointer, "is required");
}

function refuse(pointer: string, rule: string): never {
  throw invalidBody(pointer, rule, errorCodes.lists.invalidItem);
}
/** An address or a range in its canonical form: without host bits, an address without its prefix length. */
interface ListedAddress {
  readonly text: string;
  /** A sort key: by version, then by address, then by prefix length. Equal addresses have equal keys. */
  readonly key: string;
}

/** Parses an address, or a range whose prefix is long enough; undefined for anything else. */
export function parseListedAddress(text: string): ListedAddress | undefined {
  const [, base = "", length] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseIpAddress(base);
  if (address === undefined || isIpv4Mapped(address)) return undefined;
  const bitsMax = addressBits(address);
  const bits = length === undefined ? bitsMax : Number(length);
  if (bits > bitsMax || bits < prefixBitsMin[address.version]) return undefined;
  const { first } = networkOf(address, bits);
  const shown = printIpAddress(first);
  return { text: bits === bitsMax ? shown : `${shown}/${bits}`, key: keyOf(first, bits) };
}

function keyOf({ version, words }: IpAddress, bits: number): string {
  const octets = (version === 4 ? words.slice(3) : words).map((word) => word.toString(16).padStart(8, "0"));
  return `${version}:${octets.join("")}/${String(bits).padStart(3, "0")}`;
}

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const listedHostname = new RegExp(String.raw`^(?:\*\.)?${label}(?:\.${label})+$`);
const hostnameLengthMax = 253;

/**
 * A hostname of two or more labels, or a wildcard `*.` before one, in lower case; undefined for anything
 * else.
 */
function parseListedHostname(text: string): string | undefined {
  const name = text.toLowerCase();
  return name.length <= hostnameLengthMax && listedHostname.test(name) ? name : undefined;
}

export type ListChange =
  | {
      /** `replace` removes the previous items. */
      readonly kind: "append" | "replace";
      readonly items: readonly ListedItem[];
      /** The plan whose limits apply to the account. */
      readonly plan: Plan;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] };

export function sizeOf(change: ListChange): number {
  return change.kind === "remove" ? change.ids.length : change.items.length;
}
