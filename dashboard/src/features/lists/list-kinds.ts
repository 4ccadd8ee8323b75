import type { ListKind } from "../../../../src/core/lists/kinds.ts";
import type { ListItem } from "./use-items.ts";

interface KindText {
  readonly title: string;
  /** An example of a line of pasted items. */
  readonly line: string;
  readonly example: string;
}

export const kindTexts: Readonly<Record<ListKind, KindText>> = {
  ip: {
    title: "IP addresses",
    line: "an address or a range, then a comment if you like",
    example: "192.0.2.1\n198.51.100.0/24, office\n2001:db8::/32",
  },
  hostname: {
    title: "Host names",
    line: "a host name, with *. in front or without, then a comment if you like",
    example: "www.example.com\n*.example.net, partners",
  },
  asn: { title: "AS numbers", line: "a number, then a comment if you like", example: "64496\n64511, lab" },
  redirect: {
    title: "Redirects",
    line: "a source URL, a target URL, and a status if it is not 301",
    example: "example.com/old, https://www.example.com/new\nexample.com/sale, https://shop.example.com/, 302",
  },
};

/** A list item as one line. */
export function itemText({ ip, asn, hostname, redirect }: ListItem): string {
  return redirect === undefined
    ? (ip ?? hostname?.url_hostname ?? String(asn))
    : `${redirect.source_url} → ${redirect.target_url}`;
}
