import { createSecureContext, type SecureContext } from "node:tls";

import { FairMap } from "../../core/fair-map.ts";
import type { EdgeZone } from "../zones/edge-zone.ts";

const contextsMax = 2_000;

/**
 * The certificates that are ready for handshakes, each of which takes some 50 KB: those that were used last, of
 * which each account has a share. The keys of others are decrypted at the next handshake.
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
