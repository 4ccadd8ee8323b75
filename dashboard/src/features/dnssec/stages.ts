import type { Dnssec } from "../../../../src/resources/dnssec/schema.ts";

/** The stage of a zone on its way to or from DNSSEC, in words. */
export interface Stage {
  readonly title: string;
  /** The meaning of the stage, and the next one. */
  readonly text: string;
  readonly color: "gray" | "yellow" | "green" | "red";
  /** Whether it ends when the parent zone has changed. */
  readonly isWaiting: boolean;
}

const lookedFor =
  "Zoneward looks for it every five minutes where it can ask the parent zone: one of the same account, or any with activation=check-ns.";

const unsigned: Stage = {
  title: "This zone is not signed",
  text: "Resolvers cannot tell a forged answer from a true one. Turning DNSSEC on makes the keys of the zone and signs it; resolvers check its signatures once the parent zone has its DS record.",
  color: "gray",
  isWaiting: false,
};

const withoutSignatures: Stage = {
  title: "Waiting for the signatures of the primary",
  text: "What the primary transferred has no DNSKEY records. The zone is served without signatures until it has.",
  color: "yellow",
  isWaiting: false,
};

const stages: Readonly<Record<Dnssec["status"], Stage>> = {
  pending: {
    title: "Signed, and waiting for the DS record",
    text: `Add this DS record at your registrar. ${lookedFor}`,
    color: "yellow",
    isWaiting: true,
  },
  active: {
    title: "Signed, and checked by resolvers",
    text: "The parent zone has the DS record: resolvers that validate refuse forged answers.",
    color: "green",
    isWaiting: false,
  },
  "pending-disabled": {
    title: "Waiting for the DS record to go",
    text: `Remove the DS record at your registrar. The zone stays signed until then, as resolvers that know the record refuse answers without signatures. ${lookedFor}`,
    color: "yellow",
    isWaiting: true,
  },
  disabled: {
    title: "Turned off, and still signed",
    text: "The keys are kept, and the zone asks its parent by CDS to have no DS record. Delete the keys once the parent has none.",
    color: "gray",
    isWaiting: false,
  },
  error: {
    title: "The parent zone has DS records of other keys",
    text: "Resolvers that validate refuse this zone now. Replace them at your registrar by the DS record below.",
    color: "red",
    isWaiting: true,
  },
};

/** A zone without keys has no DS record, and was never signed or is no longer. */
export function stageOf({ status, ds, dnssec_presigned: isPresigned }: Dnssec): Stage {
  if (ds !== null) return stages[status];
  return isPresigned === true && status !== "disabled" ? withoutSignatures : unsigned;
}
