import { Resolver } from "node:dns/promises";

import { askForReferral, askForSigners } from "./referral.ts";
import type { RdataInput, RecordType } from "../core/dns/content/record-types.ts";

const lookUpMsDefault = 2_000;
/** Error codes for an answer without such a record. */
const noRecord = new Set(["ENOTFOUND", "ENODATA"]);

export type ScannedType = Extract<RecordType, "A" | "AAAA" | "CNAME" | "MX" | "TXT" | "CAA">;

/** Asks a resolver for the records of a name; empty if it has none or does not answer. */
export type RecordLookup = (name: string, type: ScannedType) => Promise<readonly RdataInput[]>;

/** DNS look-ups of a domain; undefined if the resolver did not answer. */
export interface DelegationLookup {
  readonly nameServers: (name: string) => Promise<readonly string[] | undefined>;
  /** The data of the DS records that the parent zone has, in octets. */
  readonly signers: (name: string) => Promise<readonly string[] | undefined>;
  readonly texts: (name: string) => Promise<readonly string[] | undefined>;
}

/** Look-ups in the public DNS. */
export interface DnsResolver {
  /**
   * Looks up the A or AAAA records of a name, also behind CNAMEs, and their TTL in seconds; undefined without
   * an answer.
   */
  readonly lookUpAddresses: (
    name: string,
    version: 4 | 6,
  ) => Promise<{ readonly addresses: readonly string[]; readonly ttl: number } | undefined>;
  readonly delegation: DelegationLookup;
  readonly lookUpRecords: RecordLookup;
  /** Makes every look-up fail, those under way too. */
  readonly close: () => void;
}

/** Asks the given resolvers, or those of the system, twice at most, and waits for `lookUpMs` each time. */
export function createDnsResolver(
  resolvers: readonly string[],
  lookUpMs: number = lookUpMsDefault,
): DnsResolver {
  const resolver = new Resolver({ timeout: lookUpMs, tries: 2 });
  if (resolvers.length > 0) resolver.setServers(resolvers);
  const closing = new AbortController();
  let closed = false;

  const answerOf = async <T>(lookUp: () => Promise<T[]>): Promise<T[] | undefined> => {
    if (closed) throw new Error("the look-up is closed");
    try {
      return await lookUp();
    } catch (error) {
      // A look-up that was cut short says nothing about the zone.
      if (closed) throw error;
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      return noRecord.has(code as string) ? [] : undefined;
    }
  };

  const texts = async (name: string): Promise<string[] | undefined> => {
    const records = await answerOf(() => resolver.resolveTxt(name));
    return records?.map((strings) => strings.join(""));
  };

  /**
   * Finds the name servers of a name. An authoritative server of the parent zone answers by a referral, which
   * a resolver would follow.
   */
  const nameServers = async (name: string): Promise<readonly string[] | undefined> => {
    const answered = await answerOf(() => resolver.resolveNs(name));
    if (answered === undefined || answered.length > 0) return answered;
    for (const server of resolver.getServers()) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(lookUpMs)]);
      const referred = await askForReferral(server, name, signal).catch(() => []);
      if (closed) throw new Error("the look-up is closed");
      if (referred.length > 0) return referred;
    }
    return answered;
  };

  const signers = async (name: string): Promise<readonly string[] | undefined> => {
    for (const server of resolver.getServers()) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(lookUpMs)]);
      const found = await askForSigners(server, name, signal).catch(() => undefined);
      if (closed) throw new Error("the look-up is closed");
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const lookUpAddresses: DnsResolver["lookUpAddresses"] = async (name, version) => {
    const records = await answerOf(() =>
      version === 4 ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true }),
    );
    return (
      records && {
        addresses: records.map(({ address }) => address),
        ttl: Math.min(...records.map(({ ttl }) => ttl)),
      }
    );
  };

  return {
    delegation: { nameServers, texts, signers },
    lookUpAddresses,
    lookUpRecords: async (name, type) => (await answerOf(() => rdataOf(resolver, name, type))) ?? [],
    close: () => {
      closed = true;
      closing.abort();
      resolver.cancel();
    },
  };
}

async function rdataOf(resolver: Resolver, name: string, type: ScannedType): Promise<RdataInput[]> {
  switch (type) {
    case "A":
      return (await resolver.resolve4(name)).map((content) => ({ content }));
    case "AAAA":
      return (await resolver.resolve6(name)).map((content) => ({ content }));
    case "CNAME":
      return (await resolver.resolveCname(name)).map((content) => ({ content }));
    case "MX":
      return (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({
        content: exchange,
        priority,
      }));
    case "TXT":
      return (await resolver.resolveTxt(name)).map((strings) => ({ content: strings.join("") }));
    case "CAA":
      return (await resolver.resolveCaa(name)).map(({ critical, ...property }) => {
        const [tag, value] = Object.entries(property).find(([key]) => key !== "type") ?? [];
        return { data: { flags: critical, tag, value } };
      });
  }
}
