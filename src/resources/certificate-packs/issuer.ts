import type { KeyObject } from "node:crypto";

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
      /** When to take the next step; a few seconds unless given. */
      readonly waitMs?: number;
    };

export interface ValidationRecord {
  readonly status: string;
  readonly txt_name: string;
  readonly txt_value: string;
}

/**
 * Issues a certificate step by step. A step never waits for the CA's decision. An interrupted step is repeated with the
 * same request and does not order a second certificate. Throws `IssuanceError` when the CA refuses.
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
