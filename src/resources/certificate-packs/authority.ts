import { AppError } from "../../core/error.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { CertificateAuthorityRow } from "../../storage/tables.ts";
import { createAuthority, type CertifiedKey, type KeyType } from "../../tls/local-ca.ts";
import type { Context } from "../../operation/context.ts";
import { insertAuthorities, selectAuthorities } from "./store.ts";

export interface AuthorityContext extends Context {
  readonly secretBox: SecretBox;
}

export interface CertificateAuthorityContext extends AuthorityContext {
  readonly certificateIssuer: "local" | "acme";
}

const dayMs = 86_400_000;
const authorityDays = 3650;

/**
 * The certificates of the local CA, PEM: what clients have to trust. The CA is made when it is first asked for, or
 * first has to sign.
 * Errors: 404 code 1001 where another CA issues and there never was a local one.
 */
export async function getCertificateAuthority(context: CertificateAuthorityContext): Promise<string> {
  const authorities =
    context.certificateIssuer === "local"
      ? await findAuthorities(context)
      : await selectAuthorities(context.db.read);
  if (authorities.length === 0) {
    throw new AppError("not-found", 1001, "There is no local certificate authority");
  }
  return authorities.map(({ certificate }) => certificate).join("");
}

/** The local CA that signs for keys of this type. */
export async function openAuthority(context: AuthorityContext, type: KeyType): Promise<CertifiedKey> {
  const row = (await findAuthorities(context)).find(({ key_type }) => key_type === type);
  if (row === undefined) throw new Error(`there is no local CA for ${type}`);
  return { certificate: row.certificate, privateKey: context.secretBox.open(row.private_key, placeOf(type)) };
}

async function findAuthorities(context: AuthorityContext): Promise<CertificateAuthorityRow[]> {
  const found = await selectAuthorities(context.db.read);
  if (found.length > 0) return found;
  const made = await Promise.all([newAuthority(context, "ecdsa"), newAuthority(context, "rsa")]);
  // Of several that make one at the same time, the first stays.
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
  // Who trusts several of them has to tell them apart in a list.
  const name = `Zoneward certificates ${type.toUpperCase()} ${newId().slice(-8)}`;
  const { certificate, privateKey } = await createAuthority(name, { notBefore, notAfter }, type);
  return {
    key_type: type,
    certificate,
    private_key: secretBox.seal(privateKey, placeOf(type)),
    created_on: toTimestamp(notBefore),
  };
}

const placeOf = (type: KeyType): string => `certificate_authorities.private_key ${type}`;
