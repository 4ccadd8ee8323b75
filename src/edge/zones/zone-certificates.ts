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
