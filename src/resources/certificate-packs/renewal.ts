import { type KeyObject, createPrivateKey, X509Certificate } from "node:crypto";

import { SecretKeyError, secretKeyNotice, type SecretBox } from "../../secrets/secret-box.ts";
import { deleteRows, insertRows, updateRow, updateRows } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { CertificatePackRow, PackCertificateRow } from "../../storage/schema/certificates.ts";
import { readCertificateFacts } from "../../tls/certificate-facts.ts";
import { pkcs8, type CreateKeyPair, type KeyType } from "../../tls/local-ca.ts";
import type { Context } from "../../operation/context.ts";
import { findZone } from "../../operation/scope.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { toCertificatePack } from "./pack.ts";
import { selectCertificates, selectDuePackIds, selectFirstStep, selectPackForChange } from "./store.ts";

/** A certificate to be issued; it stays the same through all steps. */
export interface CertificateRequest {
  /** 32 hexadecimal characters. */
  readonly id: string;
  readonly zoneId: string;
  readonly hosts: readonly string[];
  readonly validityDays: number;
  readonly keyType: "ecdsa" | "rsa";
  readonly privateKey: KeyObject;
  /** From the previous `IssuanceStep`. */
  readonly orderUrl: string | undefined;
}

/** The progress of an issuance. `chain` is PEM: the certificate and its issuers, without the root. */
export type IssuanceStep =
  | { readonly state: "issued"; readonly chain: string }
  | {
      readonly state: "pending_validation" | "pending_issuance";
      readonly orderUrl: string;
      readonly validationRecords: readonly ValidationRecord[];
      /** Milliseconds until the next step; a few seconds unless given. */
      readonly waitMs?: number;
    };

export interface ValidationRecord {
  readonly status: string;
  readonly txt_name: string;
  readonly txt_value: string;
}

/**
 * Issues a certificate step by step. A step never waits for the CA's decision. An interrupted step is
 * repeated with the same request and does not order a second certificate. Throws `IssuanceError` when the CA
 * refuses.
 */
export type TakeIssuanceStep = (request: CertificateRequest) => Promise<IssuanceStep>;

/** The CA does not issue the certificate. The zone's owner sees the message. */
export class IssuanceError extends Error {
  /** Whether the order has failed for good: the next attempt needs a new one. */
  readonly endsOrder: boolean;

  constructor(message: string, { cause, endsOrder = false }: { cause?: unknown; endsOrder?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "IssuanceError";
    this.endsOrder = endsOrder;
  }
}

const minuteMs = 60_000;
const retryMsMax = 6 * 60 * minuteMs;

/** Number of failures after which a first certificate is given up until it is requested again. */
const firstAttemptsMax = 8;

/** Two thirds into the lifetime, plus up to a thirtieth to spread renewals. */
export function renewalTime(issuedOn: Date, expiresOn: Date, id: string): Date {
  const lifetime = expiresOn.getTime() - issuedOn.getTime();
  return new Date(issuedOn.getTime() + lifetime * (2 / 3 + spread(id) / 30));
}

/** A minute after the first failure, doubled each time up to six hours. */
export function retryTime(now: Date, failures: number, id: string): Date {
  const wait = Math.min(minuteMs * 2 ** (failures - 1), retryMsMax);
  return new Date(now.getTime() + wait * (0.75 + spread(id) / 2));
}

/** From 0 to 1, constant per id, whose end is random. */
function spread(id: string): number {
  return Number.parseInt(id.slice(-8), 16) / 2 ** 32;
}

interface IssuanceContext extends Context {
  readonly secretBox: SecretBox;
  readonly createKeyPair: CreateKeyPair;
  readonly takeIssuanceStep: TakeIssuanceStep;
}

const packsAtOnceMax = 20;
const keyTypes: readonly KeyType[] = ["ecdsa", "rsa"];
/** Between two polls of an undecided order. */
const stepMs = 5_000;

/**
 * Takes the next step of every due pack, for first certificates and renewals; called by a timer. Throws the
 * first failure that is not the CA's, after every pack had its turn.
 */
export async function advanceCertificatePacks(context: IssuanceContext): Promise<void> {
  const failures: unknown[] = [];
  let due: string[];
  do {
    due = await selectDuePackIds(context.db.read, toTimestamp(context.now()), packsAtOnceMax);
    const outcomes = await Promise.allSettled(due.map((id) => advancePack(context, id)));
    failures.push(...outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : [])));
  } while (due.length === packsAtOnceMax && failures.length === 0);
  if (failures.length > 0) throw failures[0];
}

/** The time of the next step of any pack; undefined where none will be. */
export async function nextIssuanceStep({ db }: Pick<Context, "db">): Promise<Date | undefined> {
  const step = await selectFirstStep(db.read);
  return step === null ? undefined : new Date(step);
}

async function advancePack(context: IssuanceContext, id: string): Promise<void> {
  let errors: unknown[];
  try {
    const begun = await begin(context, id);
    if (begun === undefined) return;
    const taken = await Promise.all(begun.certificates.map((each) => takeStep(context, begun.pack, each)));
    await changePack(context, id, (work) => storeSteps(work, taken, context.now()));
    errors = taken.flatMap(({ error }) => error ?? []);
  } catch (error) {
    await changePack(context, id, ({ tx, pack }) =>
      updateRow(tx, "certificate_packs", id, failed(pack, error, context.now())),
    );
    errors = [error];
  }
  const unexpected = errors.find((error) => !(error instanceof IssuanceError));
  if (unexpected !== undefined) throw unexpected;
}

/** A unit of work on a locked pack. */
interface PackWork extends ChangeWork {
  readonly pack: CertificatePackRow;
}

/** Does nothing if the pack was deleted. */
async function changePack(
  context: Context,
  id: string,
  change: (work: PackWork) => Promise<void>,
): Promise<void> {
  await unitOfWork(
    context,
    { interface: "timer" },
    async (tx) => ({ scope: { pack: await selectPackForChange(tx, id) }, owner: undefined }),
    async ({ pack, ...work }) => {
      if (pack !== undefined) await change({ ...work, pack });
    },
  );
}

interface Begun {
  readonly pack: CertificatePackRow;
  /** The certificates being issued, which will replace the current ones. */
  readonly certificates: readonly PackCertificateRow[];
}

/** Stores keys before they are certified: no certificate is ever without its key. */
async function begin(context: IssuanceContext, id: string): Promise<Begun | undefined> {
  const { db, now } = context;
  const made =
    (await selectCertificates(db.read, id, "initializing")).length === 0
      ? await newCertificates(context, id)
      : [];
  return db.transaction(async (tx) => {
    const pack = await selectPackForChange(tx, id);
    if (pack === undefined || pack.step_on === null || pack.step_on > toTimestamp(now())) return undefined;
    const earlier = await selectCertificates(tx, id, "initializing");
    if (earlier.length > 0) return { pack, certificates: earlier };
    await insertRows(tx, "pack_certificates", made);
    if (pack.status === "initializing")
      await updateRow(tx, "certificate_packs", id, { status: "pending_validation" });
    return { pack, certificates: made };
  });
}

async function newCertificates(
  { newId, secretBox, createKeyPair }: IssuanceContext,
  packId: string,
): Promise<PackCertificateRow[]> {
  return Promise.all(
    keyTypes.map(async (key_type) => {
      const { privateKey } = await createKeyPair(key_type);
      const id = newId();
      return {
        id,
        pack_id: packId,
        key_type,
        private_key: secretBox.seal(pkcs8(privateKey), sealedPlace("pack_certificates.private_key", id)),
        status: "initializing",
        order_url: null,
        chain: null,
        hosts: toJson([]),
        issuer: null,
        signature: null,
        issued_on: null,
        expires_on: null,
      };
    }),
  );
}

interface TakenStep {
  readonly certificate: PackCertificateRow;
  /** Undefined if the certificate was issued earlier. */
  readonly step?: IssuanceStep;
  readonly error?: unknown;
}

async function takeStep(
  { secretBox, takeIssuanceStep }: IssuanceContext,
  pack: CertificatePackRow,
  certificate: PackCertificateRow,
): Promise<TakenStep> {
  const { id, key_type, private_key, order_url, chain } = certificate;
  if (chain !== null) return { certificate };
  try {
    const step = await takeIssuanceStep({
      id,
      zoneId: pack.zone_id,
      hosts: fromJson(pack.hosts),
      validityDays: pack.validity_days,
      keyType: key_type,
      privateKey: createPrivateKey(
        secretBox.open(private_key, sealedPlace("pack_certificates.private_key", id)),
      ),
      orderUrl: order_url ?? undefined,
    });
    return { certificate, step };
  } catch (error) {
    return { certificate, error };
  }
}

async function storeSteps(work: PackWork, taken: readonly TakenStep[], now: Date): Promise<void> {
  const { tx, pack } = work;
  const open = new Set((await selectCertificates(tx, pack.id, "initializing")).map(({ id }) => id));
  // Another process was first.
  if (!taken.every(({ certificate }) => open.has(certificate.id))) return;
  for (const { certificate, step, error } of taken) {
    if (step?.state === "issued")
      await updateRow(tx, "pack_certificates", certificate.id, issued(step.chain, now));
    else if (step !== undefined)
      await updateRow(tx, "pack_certificates", certificate.id, { order_url: step.orderUrl });
    else if (error !== undefined && givesUpOrder(error, pack)) {
      await updateRow(tx, "pack_certificates", certificate.id, { order_url: null });
    }
  }
  const [failure] = taken.flatMap(({ error }) => error ?? []);
  if (failure !== undefined) {
    await updateRow(tx, "certificate_packs", pack.id, failed(pack, failure, now));
    return;
  }
  const waiting = taken.flatMap(({ step }) => (step === undefined || step.state === "issued" ? [] : [step]));
  if (waiting.length === 0) {
    await deploy(work, now);
    return;
  }
  const isValidated = waiting.every(({ state }) => state === "pending_issuance");
  await updateRow(tx, "certificate_packs", pack.id, {
    ...(pack.status !== "active" && { status: isValidated ? "pending_issuance" : "pending_validation" }),
    validation_records: toJson(waiting.flatMap(({ validationRecords }) => validationRecords)),
    step_on: toTimestamp(
      new Date(now.getTime() + Math.max(...waiting.map(({ waitMs }) => waitMs ?? stepMs))),
    ),
  });
}

/**
 * An order is kept as long as it may succeed; one that the CA has forgotten is dropped after several
 * attempts.
 */
function givesUpOrder(error: unknown, { failures }: CertificatePackRow): boolean {
  return (error instanceof IssuanceError && error.endsOrder) || (failures + 1) % firstAttemptsMax === 0;
}

function issued(chain: string, now: Date): Partial<PackCertificateRow> {
  const { hosts, issuer, signature, expiresOn } = readCertificateFacts(new X509Certificate(chain));
  return {
    chain,
    hosts: toJson(hosts),
    issuer,
    signature,
    issued_on: toTimestamp(now),
    expires_on: toTimestamp(expiresOn),
  };
}

/** Replaces the current certificates by the issued ones. */
async function deploy({ tx, pack, audit }: PackWork, now: Date): Promise<void> {
  const at = toTimestamp(now);
  const before = { pack, certificates: await selectCertificates(tx, pack.id, "active") };
  await deleteRows(tx, "pack_certificates", { pack_id: pack.id, status: "active" });
  await updateRows(tx, "pack_certificates", { pack_id: pack.id }, { status: "active" });
  const certificates = await selectCertificates(tx, pack.id, "active");
  const expires_on = firstExpiry(certificates);
  const change: Partial<CertificatePackRow> = {
    status: "active",
    expires_on,
    failures: 0,
    validation_errors: toJson([]),
    validation_records: toJson([]),
    step_on: toTimestamp(renewalTime(now, new Date(expires_on), certificates[0]?.id ?? pack.id)),
  };
  await updateRow(tx, "certificate_packs", pack.id, change);
  audit({
    action: "certificate_pack_issue",
    owner: { zone: await findZone(tx, pack.zone_id) },
    id: pack.id,
    before: toCertificatePack(before, at),
    after: toCertificatePack({ pack: { ...pack, ...change }, certificates }, at),
  });
}

function firstExpiry(certificates: readonly PackCertificateRow[]): Timestamp {
  const times = certificates.flatMap(({ expires_on }) => expires_on ?? []);
  return times.reduce((first, time) => (time < first ? time : first));
}

/** First certificates are given up after several attempts, renewals never. */
function failed(pack: CertificatePackRow, error: unknown, now: Date): Partial<CertificatePackRow> {
  const failures = pack.failures + 1;
  const isGivenUp = pack.status !== "active" && failures >= firstAttemptsMax;
  return {
    failures,
    validation_errors: toJson([{ message: publicReason(error) }]),
    step_on: isGivenUp ? null : toTimestamp(retryTime(now, failures, pack.id)),
    ...(isGivenUp && { status: "validation_timed_out" }),
  };
}

function publicReason(error: unknown): string {
  if (error instanceof IssuanceError) return error.message;
  if (error instanceof SecretKeyError) return secretKeyNotice;
  return "The server failed; its operator finds the reason in its log.";
}
