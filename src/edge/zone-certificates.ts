import { createSecureContext, type SecureContext } from "node:tls";

import { FairMap } from "../core/fair-map.ts";
import type { EdgeZone } from "./edge-zone.ts";

/** A certificate of a zone, or those of a pack, one for each type of key. */
export interface EdgeCertificate {
  /** Another one where the certificate or its key is another one. */
  readonly id: string;
  /** ASCII, lower case; `*.` covers names with one more label. */
  readonly hosts: readonly string[];
  /** Of several for the same host, the one with the highest rank is used. */
  readonly rank: number;
  /** Decrypts the keys; returns PEM texts, each chain with its key. */
  readonly open: () => { readonly chains: readonly string[]; readonly privateKeys: readonly string[] };
}

/** The certificates of a zone, by server name (SNI). */
export class ZoneCertificates {
  readonly #byHost = new Map<string, EdgeCertificate>();

  constructor(certificates: readonly EdgeCertificate[]) {
    for (const certificate of certificates.toSorted((one, other) => one.rank - other.rank)) {
      for (const host of certificate.hosts) this.#byHost.set(host, certificate);
    }
  }

  /** The certificate for exactly this name, else for a wildcard. */
  find(name: string): EdgeCertificate | undefined {
    return this.#byHost.get(name) ?? this.#byHost.get(`*${name.slice(name.indexOf("."))}`);
  }
}

const contextsMax = 2_000;

/**
 * The certificates that are ready for handshakes, each of which takes some 50 KB: those that were used last, of which each
 * account has a share. The keys of others are decrypted at the next handshake.
 */
export class TlsContexts {
  readonly #contexts: FairMap<string, SecureContext>;

  constructor(max: number = contextsMax) {
    this.#contexts = new FairMap({ weightMax: max });
  }

  /** The context of a zone's certificate for a name. Throws where a key cannot be decrypted. */
  of({ accountId, certificates }: Pick<EdgeZone, "accountId" | "certificates">, name: string) {
    const certificate = certificates.find(name);
    if (certificate === undefined) return undefined;
    const known = this.#contexts.get(certificate.id);
    if (known !== undefined) return known;
    const { chains, privateKeys } = certificate.open();
    const context = createSecureContext({ cert: [...chains], key: [...privateKeys] });
    this.#contexts.set(certificate.id, context, [accountId]);
    return context;
  }
}
