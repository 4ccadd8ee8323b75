import { createSecureContext, type SecureContext } from "node:tls";

/** A certificate of a zone; of a pack, those for each type of key together. */
export interface EdgeCertificate {
  /** ASCII, lower case; `*.` for all names of one more label. */
  readonly hosts: readonly string[];
  /** Of several for the same host, the one with the highest is taken. */
  readonly rank: number;
  /** Opens the sealed keys: PEM texts, each chain with its key. */
  readonly open: () => { readonly chains: readonly string[]; readonly privateKeys: readonly string[] };
}

/** The certificates of a zone, by the names that visitors ask for. Keys are opened when they are first needed. */
export class ZoneCertificates {
  readonly #byHost = new Map<string, EdgeCertificate>();
  readonly #contexts = new Map<EdgeCertificate, SecureContext>();

  constructor(certificates: readonly EdgeCertificate[]) {
    for (const certificate of certificates.toSorted((one, other) => one.rank - other.rank)) {
      for (const host of certificate.hosts) this.#byHost.set(host, certificate);
    }
  }

  /** Of the certificate for exactly this name, else of one for a wildcard. Throws where a key cannot be opened. */
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
