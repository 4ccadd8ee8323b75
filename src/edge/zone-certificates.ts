import { createSecureContext, type SecureContext } from "node:tls";

/** A certificate of a zone, or those of a pack, one for each type of key. */
export interface EdgeCertificate {
  /** ASCII, lower case; `*.` covers names with one more label. */
  readonly hosts: readonly string[];
  /** Of several for the same host, the one with the highest rank is used. */
  readonly rank: number;
  /** Decrypts the keys; returns PEM texts, each chain with its key. */
  readonly open: () => { readonly chains: readonly string[]; readonly privateKeys: readonly string[] };
}

/** The certificates of a zone, by server name (SNI). Keys are decrypted when they are first needed. */
export class ZoneCertificates {
  readonly #byHost = new Map<string, EdgeCertificate>();
  readonly #contexts = new Map<EdgeCertificate, SecureContext>();

  constructor(certificates: readonly EdgeCertificate[]) {
    for (const certificate of certificates.toSorted((one, other) => one.rank - other.rank)) {
      for (const host of certificate.hosts) this.#byHost.set(host, certificate);
    }
  }

  /**
   * The context of the certificate for exactly this name, else for a wildcard. Throws where a key cannot be
   * decrypted.
   */
  contextFor(name: string): SecureContext | undefined {
    const certificate = this.#byHost.get(name) ?? this.#byHost.get(`*${name.slice(name.indexOf("."))}`);
    if (certificate === undefined) return undefined;
    const known = this.#contexts.get(certificate);
    if (known !== undefined) return known;
    const { chains, privateKeys } = certificate.open();
    const context = createSecureContext({ cert: [...chains], key: [...privateKeys] });
    this.#contexts.set(certificate, context);
    return context;
  }
}
