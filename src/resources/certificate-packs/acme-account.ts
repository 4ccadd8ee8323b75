import type { Client } from "acme-client";

import { isDeniedHost } from "../../core/net/denied-hosts.ts";
import { lookupAllowed } from "../../network/guarded-lookup.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { AcmeAccountRow } from "../../storage/tables.ts";
import { createKeyPair, pkcs8 } from "../../tls/local-ca.ts";
import type { Context } from "../../operation/context.ts";
import { insertAcmeAccount, selectAcmeAccount } from "./store.ts";

interface AcmeSettings {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** How long a TXT record takes to reach the name servers of the zone. */
  readonly propagationMs: number;
}

export interface AcmeAccountContext extends Context {
  readonly secretBox: SecretBox;
  readonly acme: AcmeSettings;
}

const answerMsMax = 30_000;
const answerBytesMax = 1024 * 1024;

/** The library that speaks ACME. Loaded when something is to be issued. */
export async function loadAcme(): Promise<typeof import("acme-client")> {
  const library = await import("acme-client");
  const { defaults, interceptors } = library.axios;
  Object.assign(defaults, {
    timeout: answerMsMax,
    maxContentLength: answerBytesMax,
    lookup: lookupAllowed,
    beforeRedirect: refuseOtherOrigin,
  });
  // Its own try again, and lose what went wrong. A step that failed is taken again later; nothing waits for it meanwhile.
  interceptors.response.clear();
  interceptors.request.clear();
  interceptors.request.use((request) => {
    refuseDeniedHost(request.url ?? "");
    return request;
  });
  return library;
}

/** A CA says itself where its resources are. */
function refuseDeniedHost(url: string): void {
  const { hostname } = new URL(url);
  if (isDeniedHost(hostname)) throw new Error(`The CA names ${hostname}, a link-local or metadata address`);
}

function refuseOtherOrigin(to: { readonly href: string }, _: unknown, from: { readonly url: string }): void {
  const { origin } = new URL(to.href);
  if (origin !== new URL(from.url).origin) throw new Error(`The CA redirects to ${origin}`);
}

/**
 * A client with our account at the CA. The account's key is stored before the CA learns of it, so that all instances
 * always use one account. Opening it agrees to the CA's terms.
 */
export async function openAcmeAccount(context: AcmeAccountContext): Promise<Client> {
  const { directoryUrl, email } = context.acme;
  const { Client: AcmeClient } = await loadAcme();
  const row = await findAccount(context);
  const accountKey = context.secretBox.open(row.private_key, placeOf(directoryUrl));
  const client = new AcmeClient({ directoryUrl, accountKey });
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
  });
  return client;
}

async function findAccount({ db, now, secretBox, acme }: AcmeAccountContext): Promise<AcmeAccountRow> {
  const { directoryUrl: directory_url } = acme;
  const found = await selectAcmeAccount(db.read, directory_url);
  if (found !== undefined) return found;
  const { privateKey } = await createKeyPair("ecdsa");
  const made: AcmeAccountRow = {
    directory_url,
    private_key: secretBox.seal(pkcs8(privateKey), placeOf(directory_url)),
    created_on: toTimestamp(now()),
  };
  // Of several that make one at the same time, the first stays.
  return db.exclusiveTransaction(async (tx) => {
    const earlier = await selectAcmeAccount(tx, directory_url);
    if (earlier === undefined) await insertAcmeAccount(tx, made);
    return earlier ?? made;
  });
}

const placeOf = (directoryUrl: string): string => `acme_accounts.private_key ${directoryUrl}`;
