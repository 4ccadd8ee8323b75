import { isIP } from "node:net";

import { list } from "./setting-forms.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The address and port of `192.0.2.1:53` or `[2001:db8::1]:53`; undefined for anything else. */
function parseListenAddress(text: string): ListenAddress | undefined {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? four ?? "";
  const isAddress = isIP(host) === (six === undefined ? 4 : 6);
  return isAddress && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

/** A setting that is a list of addresses to listen on, none by default. */
export function listenAddressList(example: string, help: string) {
  return list([], {
    form: "ADDRESS:PORT,...",
    accepts: (entry) => parseListenAddress(entry) !== undefined,
    rule: `must be a list of addresses with ports, such as ${example}`,
    help,
  });
}

/** The addresses of a setting that is a list of them. */
export function listenAddresses(entries: readonly string[]): readonly ListenAddress[] {
  return entries.map(parseListenAddress).filter((address) => address !== undefined);
}

/** The addresses that only programs on the same machine can reach. */
export const loopbackNetworks: readonly string[] = ["127.0.0.0/8", "::1"];

/** Whether only programs on the same machine can reach the address. */
export function isLoopbackAddress({ host }: ListenAddress): boolean {
  return host.startsWith("127.") || host === "::1";
}
