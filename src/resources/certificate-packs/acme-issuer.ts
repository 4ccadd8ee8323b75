import type { Client, Authorization, Order } from "acme-client";

import { isDeniedHost } from "../../core/net/denied-hosts.ts";
import { lookupAllowed } from "../../network/guarded-lookup.ts";
import { type SecretBox, SecretKeyError } from "../../secrets/secret-box.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { AcmeAccountRow } from "../../storage/schema/certificates.ts";
import { createKeyPair, pkcs8 } from "../../tls/local-ca.ts";
import { type DnsContext, changeRecords, type RecordChanges } from "../dns-records/dns-records.ts";
import { AppError } from "../../core/error.ts";
import { asUnavailable } from "../../storage/errors.ts";
import { zoneUnitOfWork } from "../../operation/scope.ts";
import {
  IssuanceError,
  type CertificateRequest,
  type IssuanceStep,
  type TakeIssuanceStep,
  type ValidationRecord,
} from "./renewal.ts";

interface AcmeSettings {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** Milliseconds that a TXT record takes to reach the zone's name servers. */
  readonly propagationMs: number;
}

interface AcmeAccountContext extends DnsContext {
  readonly secretBox: SecretBox;
  readonly acme: AcmeSettings;
}

const answerMsMax = 30_000;
const answerBytesMax = 1024 * 1024;

/** Loads the ACME library on first use. */
async function loadAcme(): Promise<typeof import("acme-client")> {
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
 * A client with our account at the CA. The account's key is stored before the account is opened, so that all
 * instances use the same account. Opening it agrees to the CA's terms.
 */
async function openAcmeAccount(context: AcmeAccountContext): Promise<Client> {
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

const messageLengthMax = 500;

/**
 * Issues certificates from an ACME CA (RFC 8555) with dns-01; the TXT records are added to the zone and
 * removed again. Each certificate is one order, whose URL is stored before the next step.
 */
export function createAcmeIssuer(context: AcmeAccountContext): TakeIssuanceStep {
  let account: Promise<Client> | undefined;
  return async (request) => {
    try {
      account ??= openAcmeAccount(context);
      return await takeStep(context, await account, request);
    } catch (error) {
      // The account may have caused the failure.
      account = undefined;
      throw asIssuanceError(error);
    }
  };
}

async function takeStep(
  context: AcmeAccountContext,
  client: Client,
  request: CertificateRequest,
): Promise<IssuanceStep> {
  const { orderUrl, hosts } = request;
  if (orderUrl === undefined) {
    const identifiers = hosts.map((value) => ({ type: "dns", value }));
    const { url } = await client.createOrder({ identifiers });
    return { state: "pending_validation", orderUrl: url, validationRecords: [], waitMs: 0 };
  }
  const order = await client.getOrder({ url: orderUrl } as Order);
  switch (order.status) {
    case "pending":
      return prove(context, client, request, order);
    case "ready": {
      const { crypto } = await loadAcme();
      const [, csr] = await crypto.createCsr({ altNames: [...hosts] }, pkcs8(request.privateKey));
      await client.finalizeOrder(order, csr);
      return { state: "pending_issuance", orderUrl, validationRecords: [] };
    }
    case "processing":
      return { state: "pending_issuance", orderUrl, validationRecords: [] };
    case "valid": {
      const chain = await client.getCertificate(order);
      await withdraw(context, request.zoneId, await proofsOf(client, order));
      return { state: "issued", chain };
    }
    case "invalid": {
      const proofs = await proofsOf(client, order);
      await withdraw(context, request.zoneId, proofs);
      throw new IssuanceError(proofs.flatMap(({ failure }) => failure ?? [])[0] ?? "The order is invalid", {
        endsOrder: true,
      });
    }
  }
}

/** Adds the TXT records and, once they have had time to spread, asks the CA to look for them. */
async function prove(
  { acme, ...context }: AcmeAccountContext,
  client: Client,
  { zoneId }: CertificateRequest,
  order: Order,
): Promise<IssuanceStep> {
  const open = (await proofsOf(client, order)).filter(({ isOpen }) => isOpen);
  const isNew = await changeRecordsOf(context, zoneId, async (changes) => {
    let added = false;
    for (const { record } of open) {
      if ((await changes.find(record)) !== undefined) continue;
      await changes.create(record);
      added = true;
    }
    return added;
  });
  if (!isNew) for (const { challenge } of open) await client.completeChallenge(challenge);
  return {
    state: "pending_validation",
    orderUrl: order.url,
    validationRecords: open.map(({ record: { name, content } }): ValidationRecord => ({
      status: "pending",
      txt_name: name,
      txt_value: content,
    })),
    ...(isNew && { waitMs: acme.propagationMs }),
  };
}

/** Proof of control of one host. */
interface Proof {
  readonly record: {
    readonly type: "TXT";
    readonly name: string;
    readonly content: string;
    readonly ttl: number;
  };
  readonly challenge: Authorization["challenges"][number];
  readonly isOpen: boolean;
  readonly failure: string | undefined;
}

async function proofsOf(client: Client, order: Order): Promise<Proof[]> {
  const authorizations = await client.getAuthorizations(order);
  return Promise.all(
    authorizations.map(async ({ identifier, status, challenges }) => {
      const challenge = challenges.find(({ type }) => type === "dns-01");
      if (challenge === undefined) throw new IssuanceError(`The CA offers no dns-01 for ${identifier.value}`);
      const error: { detail?: unknown } | undefined = challenge.error;
      return {
        record: {
          type: "TXT",
          name: `_acme-challenge.${identifier.value}`,
          content: await client.getChallengeKeyAuthorization(challenge),
          ttl: 60,
        },
        challenge,
        isOpen: status === "pending" && challenge.status === "pending",
        failure: typeof error?.detail === "string" ? `${identifier.value}: ${error.detail}` : undefined,
      } as const;
    }),
  );
}

async function withdraw(
  context: AcmeAccountContext,
  zoneId: string,
  proofs: readonly Proof[],
): Promise<void> {
  await changeRecordsOf(context, zoneId, async (changes) => {
    for (const { record } of proofs) {
      const id = await changes.find(record);
      if (id !== undefined) await changes.delete(id);
    }
  });
}

function changeRecordsOf<T>(
  context: DnsContext,
  zoneId: string,
  change: (changes: RecordChanges) => Promise<T>,
): Promise<T> {
  return zoneUnitOfWork(context, { interface: "timer" }, zoneId, (work) => changeRecords(work, change));
}

/** Our own failures are kept; any other comes from the CA or from the network. */
function asIssuanceError(error: unknown): unknown {
  if (error instanceof IssuanceError || error instanceof SecretKeyError) return error;
  if (asUnavailable(error) !== undefined && !isFromNetwork(error)) return error;
  if (error instanceof AppError)
    return new IssuanceError(`No TXT record can be put into the zone: ${error.message}`, { cause: error });
  return new IssuanceError(explain(error).slice(0, messageLengthMax), { cause: error });
}

/** System errors may tell the operator's network: only their codes are shown. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return "The CA cannot be reached";
  const isOfSystem = error.cause instanceof Error && "syscall" in error.cause;
  if (error.message !== "" && !isOfSystem) return error.message;
  return `The CA cannot be reached: ${"code" in error ? String(error.code) : error.name}`;
}

/** The library marks failed requests. */
function isFromNetwork(error: unknown): boolean {
  return error instanceof Error && "isAxiosError" in error;
}
