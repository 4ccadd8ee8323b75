import { createPublicKey, X509Certificate } from "node:crypto";

import type { SecretBox } from "../../secrets/secret-box.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { CertificateAuthorityRow } from "../../storage/schema/certificates.ts";
import {
  createAuthority,
  type CertifiedKey,
  type KeyType,
  signServerCertificate,
  validityFrom,
} from "../../tls/local-ca.ts";
import type { Context } from "../../operation/context.ts";
import { insertAuthorities, selectAuthorities } from "./store.ts";
import { IssuanceError, type TakeIssuanceStep } from "./renewal.ts";

export interface AuthorityContext extends Context {
  readonly secretBox: SecretBox;
}

export interface CertificateAuthorityContext extends AuthorityContext {
  readonly certificateIssuer: "local" | "acme";
}

const dayMs = 86_400_000;
const authorityDays = 3650;

async function openAuthority(context: AuthorityContext, type: KeyType): Promise<CertifiedKey> {
  const row = (await findAuthorities(context)).find(({ key_type }) => key_type === type);
  if (row === undefined) throw new Error(`there is no local CA for ${type}`);
  return {
    certificate: row.certificate,
    privateKey: context.secretBox.open(
      row.private_key,
      sealedPlace("certificate_authorities.private_key", type),
    ),
  };
}

/** The local CAs, one per type of key, created on first use. */
export async function findAuthorities(context: AuthorityContext): Promise<CertificateAuthorityRow[]> {
  const found = await selectAuthorities(context.db.read);
  if (found.length > 0) return found;
  const made = await Promise.all([newAuthority(context, "ecdsa"), newAuthority(context, "rsa")]);
  // The first of several concurrent inserts wins.
  return context.db.exclusiveTransaction(async (tx) => {
    const earlier = await selectAuthorities(tx);
    if (earlier.length > 0) return earlier;
    await insertAuthorities(tx, made);
    return made;
  });
}

async function newAuthority(
  { now, newId, secretBox }: AuthorityContext,
  type: KeyType,
): Promise<CertificateAuthorityRow> {
  const notBefore = now();
  const notAfter = new Date(notBefore.getTime() + authorityDays * dayMs);
  // Distinguishes several CAs in a list of trusted ones.
  const name = `Zoneward certificates ${type.toUpperCase()} ${newId().slice(-8)}`;
  const { certificate, privateKey } = await createAuthority(name, { notBefore, notAfter }, type);
  return {
    key_type: type,
    certificate,
    private_key: secretBox.seal(privateKey, sealedPlace("certificate_authorities.private_key", type)),
    created_on: toTimestamp(notBefore),
  };
}

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
