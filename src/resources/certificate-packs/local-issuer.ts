import { createPublicKey, X509Certificate } from "node:crypto";

import { signServerCertificate } from "../../tls/local-ca.ts";
import { openAuthority, type AuthorityContext } from "./authority.ts";
import { IssuanceError, type TakeIssuanceStep } from "./issuer.ts";

const dayMs = 86_400_000;
/** Tolerates clocks that run behind. */
const clockSkewMs = 3_600_000;

/** Issues at once from the local CA. */
export function createLocalIssuer(context: AuthorityContext): TakeIssuanceStep {
  return async ({ id, hosts, validityDays, keyType, privateKey }) => {
    const authority = await openAuthority(context, keyType);
    const { validToDate } = new X509Certificate(authority.certificate);
    const notBefore = new Date(context.now().getTime() - clockSkewMs);
    if (validToDate <= notBefore) throw new IssuanceError("The local certificate authority has expired");
    const notAfter = new Date(Math.min(notBefore.getTime() + validityDays * dayMs, validToDate.getTime()));
    const chain = await signServerCertificate(authority, {
      hosts,
      notBefore,
      notAfter,
      publicKey: createPublicKey(privateKey),
      // A repeated step signs the same certificate again.
      serialNumber: id,
    });
    return { state: "issued", chain };
  };
}
