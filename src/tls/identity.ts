import { join } from "node:path";

import type { Config } from "../config/settings.ts";
import { readCertificateFiles } from "./certificate-files.ts";
import { hostsToCover } from "./covered-hosts.ts";
import type { CertifiedKey } from "./local-ca.ts";
import { makeTemporarySelfSigned, openSelfSigned } from "./self-signed.ts";

/** The certificate of the server, and the CA file that its clients need. */
export interface TlsIdentity extends CertifiedKey {
  /** Absolute path of the local CA's certificate; undefined for a certificate that the operator brought. */
  readonly authorityFile: string | undefined;
  /** Removes files that were made for this run alone. */
  readonly discard: () => void;
}

type TlsSettings = Pick<Config, "tls" | "tls_cert" | "tls_key" | "host" | "data" | "ephemeral">;

/** Opens or makes the identity that the settings name; undefined where the server speaks plain HTTP. */
export async function openTlsIdentity(config: TlsSettings, now: Date): Promise<TlsIdentity | undefined> {
  const { tls, tls_cert: certificate, tls_key: privateKey } = config;
  if (certificate !== undefined && privateKey !== undefined) {
    const files = readCertificateFiles({ certificate, privateKey });
    return { ...files, authorityFile: undefined, discard: () => {} };
  }
  if (tls === "off") return undefined;

  const hosts = hostsToCover(config.host);
  if (config.ephemeral) {
    const { server, authorityFile, discard } = await makeTemporarySelfSigned(hosts, now);
    return { ...server, authorityFile, discard };
  }
  const { server, authorityFile } = await openSelfSigned(join(config.data, "tls"), hosts, now);
  return { ...server, authorityFile, discard: () => {} };
}
