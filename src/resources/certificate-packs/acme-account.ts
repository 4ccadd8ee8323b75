import type { Client } from "acme-client";

import { isDeniedHost } from "../../core/net/denied-hosts.ts";
import { lookupAllowed } from "../../network/guarded-lookup.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { AcmeAccountRow } from "../../storage/schema/certificates.ts";
import { createKeyPair, pkcs8 } from "../../tls/local-ca.ts";
import type { DnsContext } from "../dns-records/dns-records.ts";

interface AcmeSettings {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** How long a TXT record takes to reach the zone's name servers. */
  readonly propagationMs: number;
}

export interface AcmeAccountContext extends DnsContext {
  readonly secretBox: SecretBox;
  readonly acme: AcmeSettings;
}

const answerMsMax = 30_000;
const answerBytesMax = 1024 * 1024;

/** Loads the ACME library on first use. */
export async function loadAcme(): Promise<typeof import("acme-client")> {
  const library = await import("acme-client");
  const { defaults, interceptors } = library.axios;
  Object.assign(defaults, {
    timeout: answerMsMax,
    maxContentLength: answerBytesMax,
    lookup: lookupAllowed,
    beforeRedirect: refuseOtherOrigin,
  });
  // The library's own retries lose the error; a failed step is repeated later by the timer.
  interceptors.response.clear();
  interceptors.request.clear();
  interceptors.request.use((request) => {
    refuseDeniedHost(request.url ?? "");
    return request;
  });
  return library;
}

/** Checks every URL, as the directory of a CA names further ones. */
function refuseDeniedHost(url: string): void {
  const { hostname } = new URL(url);
  if (isDeniedHost(hostname)) throw new Error(`The CA names ${hostname}, a link-local or metadata address`);
}

function refuseOtherOrigin(to: { readonly href: string }, _: unknown, from: { readonly url: string }): void {
  const { origin } = new URL(to.href);
  if (origin !== new URL(from.url).origin) throw new Error(`The CA redirects to ${origin}`);
}

/**
 * A client with our account at the CA. The account's key is stored before the account is opened, so that all instances
 * use the same account. Opening it agrees to the CA's terms.
 */
export async function openAcmeAccount(context: AcmeAccountContext): Promise<Client> {
  const { directoryUrl, email } = context.acme;
  const { Client: AcmeClient } = await loadAcme();
  const row = await findAccount(context);
  const accountKey = context.secretBox.open(
    row.private_key,
    sealedPlace("acme_accounts.private_key", directoryUrl),
  );
  const client = new AcmeClient({ directoryUrl, accountKey });
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
  });
  return client;
}

async function findAccount({ db, now, secretBox, acme }: AcmeAccountContext): Promise<AcmeAccountRow> {
  const { directoryUrl: directory_url } = acme;
  const found = await selectRow(db.read, "acme_accounts", { directory_url });
  if (found !== undefined) return found;
  const { privateKey } = await createKeyPair("ecdsa");
  const made: AcmeAccountRow = {
    directory_url,
    private_key: secretBox.seal(pkcs8(privateKey), sealedPlace("acme_accounts.private_key", directory_url)),
    created_on: toTimestamp(now()),
  };
  // The first of several concurrent inserts wins.
  return db.exclusiveTransaction(async (tx) => {
    const earlier = await selectRow(tx, "acme_accounts", { directory_url });
    if (earlier === undefined) await insertRow(tx, "acme_accounts", made);
    return earlier ?? made;
  });
}
