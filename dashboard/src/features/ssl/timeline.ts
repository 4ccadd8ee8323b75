import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import type { CustomCertificate } from "../../../../src/resources/custom-certificates/schema.ts";

/** One certificate on the timeline; times in milliseconds since 1970. */
export interface TimelineEntry {
  readonly id: string;
  readonly hosts: readonly string[];
  /** "Universal, ECDSA" */
  readonly kind: string;
  readonly from: number;
  readonly until: number;
}

type Urgency = "good" | "soon" | "expired";

/** "ECDSA" for `ECDSAWithSHA256`, "RSA" for `SHA256WithRSA`. */
function keyAlgorithm(signature: string): string {
  return /ECDSA|RSA|Ed25519/i.exec(signature)?.[0] ?? signature;
}

export const packKinds: Readonly<Record<CertificatePack["type"], string>> = {
  universal: "Universal",
  advanced: "Advanced",
  total_tls: "Total TLS",
};

const dayMs = 86_400_000;
const soonDays = 14;

/** The certificates of packs and those that the owner of the zone brought, the next to expire first. */
export function timelineEntries(
  packs: readonly CertificatePack[],
  custom: readonly CustomCertificate[],
): readonly TimelineEntry[] {
  const entry = (
    {
      id,
      hosts,
      signature,
      uploaded_on,
      expires_on,
    }: CustomCertificate | CertificatePack["certificates"][number],
    kind: string,
  ): TimelineEntry => ({
    id,
    hosts,
    kind: `${kind}, ${keyAlgorithm(signature)}`,
    from: Date.parse(uploaded_on),
    until: Date.parse(expires_on),
  });
  return [
    ...packs.flatMap(({ type, certificates }) =>
      certificates.map((certificate) => entry(certificate, packKinds[type])),
    ),
    ...custom.map((certificate) => entry(certificate, "Custom")),
  ].toSorted((one, other) => one.until - other.until);
}

export function urgencyOf({ until }: TimelineEntry, now: number): Urgency {
  if (until <= now) return "expired";
  return until - now <= soonDays * dayMs ? "soon" : "good";
}

/** The beginning and the end of the axis: all entries and today, with a day to spare. */
export function axisOf(
  entries: readonly TimelineEntry[],
  now: number,
): { readonly from: number; readonly until: number } {
  return {
    from: Math.min(now, ...entries.map(({ from }) => from)) - dayMs,
    until: Math.max(now, ...entries.map(({ until }) => until)) + dayMs,
  };
}

/** The place of a time on an axis, in per cent. */
export function place(
  time: number,
  { from, until }: { readonly from: number; readonly until: number },
): number {
  return ((time - from) / (until - from)) * 100;
}
