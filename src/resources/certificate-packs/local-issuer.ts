import { createPublicKey, X509Certificate } from "node:crypto";

import { signServerCertificate, validityFrom } from "../../tls/local-ca.ts";
import { openAuthority, type AuthorityContext } from "./authority.ts";
import { IssuanceError, type TakeIssuanceStep } from "./issuer.ts";

/** Issues at once from the local CA. */
export function createLocalIssuer(context: AuthorityContext): TakeIssuanceStep {
  return async ({ id, hosts, validityDays, keyType, privateKey }) => {
    const authority = await openAuthority(context, keyType);
    const { validToDate } = new X509Certificate(authority.certificate);
    const validity = validityFrom(context.now(), validityDays, validToDate);
    if (validToDate <= validity.notBefore)
      throw new IssuanceError("The local certificate authority has expired");
    const chain = await signServerCertificate(authority, {
      hosts,
      ...validity,
      publicKey: createPublicKey(privateKey),
      // A repeated step signs the same certificate again.
      serialNumber: id,
    });
    return { state: "issued", chain };
  };
}
