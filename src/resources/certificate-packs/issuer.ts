import type { KeyObject } from "node:crypto";

/** A certificate to be issued; it does not change until then. */
export interface CertificateRequest {
  /** 32 hexadecimal characters. */
  readonly id: string;
  readonly zoneId: string;
  readonly hosts: readonly string[];
  readonly validityDays: number;
  readonly keyType: "ecdsa" | "rsa";
  readonly privateKey: KeyObject;
  /** What `IssuanceStep` said last time. */
  readonly orderUrl: string | undefined;
}

/** How far an issuer has come. `chain` is PEM: the certificate, followed by those of its issuers except the root. */
export type IssuanceStep =
  | { readonly state: "issued"; readonly chain: string }
  | {
      readonly state: "pending_validation" | "pending_issuance";
      readonly orderUrl: string;
      readonly validationRecords: readonly ValidationRecord[];
      /** Until the next step makes sense; a few seconds unless given. */
      readonly waitMs?: number;
    };

export interface ValidationRecord {
  readonly status: string;
  readonly txt_name: string;
  readonly txt_value: string;
}

/**
 * Issues certificates step by step. A step never waits for the CA to come to a decision; one that was cut short is
 * taken again, with the same request, and asks for no second certificate.
 * Throws `IssuanceError` when the CA refuses.
 */
export type TakeIssuanceStep = (request: CertificateRequest) => Promise<IssuanceStep>;

/** A CA does not issue the certificate; the message is shown to the owner of the zone. */
export class IssuanceError extends Error {
  /** Whether nothing can come of the order any more: the next attempt begins with another. */
  readonly endsOrder: boolean;

  constructor(message: string, { cause, endsOrder = false }: { cause?: unknown; endsOrder?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "IssuanceError";
    this.endsOrder = endsOrder;
  }
}
