import { withoutTypes } from "../dnssec/denial.ts";
import { typeCodes } from "../wire/codes.ts";
import { parentOf } from "../wire/names.ts";
import type { OwnedSet, RecordSet } from "../wire/record-data.ts";
import type { ZoneView } from "./zone-view.ts";

/** A record set under the name it is answered with, followed by its signature. */
export function withSignature(
  zone: ZoneView,
  owner: string,
  /** The name in the zone that has the set: the wildcard's where `owner` was expanded from one. */
  source: string,
  set: RecordSet,
): OwnedSet[] {
  const signature = zone.signatureOf(source, set);
  return signature === undefined
    ? [{ name: owner, set }]
    : [
        { name: owner, set },
        { name: owner, set: signature },
      ];
}

/**
 * A set of addresses that was made for one answer, followed by its signature. The signature covers `signedTtl`; the
 * set may be cached for less.
 */
export function withPassingSignature(
  zone: ZoneView,
  owner: string,
  source: string,
  set: RecordSet,
  signedTtl: number,
): OwnedSet[] {
  const signature = zone.signer?.passingSignatureOf(source, { ...set, ttl: signedTtl });
  const answered = { name: owner, set };
  return signature === undefined
    ? [answered]
    : [answered, { name: owner, set: { ...signature, ttl: set.ttl } }];
}

/** The SOA record of a negative answer, followed by its signature. */
export function signedNegativeSoa(zone: ZoneView): OwnedSet[] {
  const set = zone.negativeSoa;
  const signature = zone.signatureOf(zone.name, zone.soa);
  const answered = { name: zone.name, set };
  return signature === undefined
    ? [answered]
    : [answered, { name: zone.name, set: { ...signature, ttl: set.ttl } }];
}

/** Proof that neither a name nor a wildcard for it exists (NXDOMAIN). */
export function proveMissing(zone: ZoneView, name: string): OwnedSet[] {
  const encloser = provableEncloser(zone, name);
  return records(zone, [...proveNoCloser(zone, name, encloser), zone.denials?.covering(`*.${encloser}`)]);
}

/** Proof that an answer expanded from a wildcard has no closer match. */
export function proveWildcard(zone: ZoneView, name: string): OwnedSet[] {
  return records(zone, proveNoCloser(zone, name, undefined));
}

/** Proof that a name, or the wildcard it was expanded from, does not have a type (NODATA). */
export function proveNoData(zone: ZoneView, name: string, wildcard: string | undefined): OwnedSet[] {
  if (wildcard === undefined) {
    const matching = zone.denials?.matching(name);
    if (matching !== undefined) return records(zone, [matching]);
    // An empty non-terminal has no NSEC record; with opt-out, an unsigned delegation has no NSEC3 record.
    return records(zone, proveNoCloser(zone, name, provableEncloser(zone, name)));
  }
  return records(zone, [
    ...proveNoCloser(zone, name, parentOf(wildcard)),
    zone.denials?.matching(wildcard) ?? zone.denials?.covering(wildcard),
  ]);
}

/** Does the same as `proveNoData`, for a flattened CNAME whose target has no addresses of the type. */
export function proveNoAddresses(
  zone: ZoneView,
  name: string,
  wildcard: string | undefined,
  type: number,
): OwnedSet[] {
  const { signer } = zone;
  const source = wildcard ?? name;
  const matching = zone.denials?.matching(source);
  if (signer === undefined || matching === undefined) return [];
  const set = withoutTypes(matching.set, [type]);
  const noCloser = wildcard === undefined ? [] : proveNoCloser(zone, name, parentOf(wildcard));
  return [
    ...records(zone, noCloser),
    { name: matching.name, set },
    { name: matching.name, set: signer.passingSignatureOf(matching.name, set) },
  ];
}

type Denial = OwnedSet | undefined;

/**
 * Proof that no closer name exists (RFC 4035 section 5.3.4; with NSEC3, RFC 5155 section 7.2). `encloser` is
 * the parent of the wildcard.
 */
function proveNoCloser(zone: ZoneView, name: string, encloser: string | undefined): Denial[] {
  if (zone.denials?.type === typeCodes.NSEC) return [zone.denials?.covering(name)];
  const above = encloser ?? provableEncloser(zone, name);
  const covering = zone.denials?.covering(nextCloser(name, above));
  return encloser === undefined ? [covering] : [zone.denials?.matching(above), covering];
}

/**
 * The closest encloser with an NSEC3 record (RFC 5155 section 1.3). With opt-out, names above unsigned
 * delegations may have none. In a zone with NSEC records, the closest encloser.
 */
function provableEncloser(zone: ZoneView, name: string): string {
  const closest = zone.closestEncloser(name);
  const { denials } = zone;
  if (denials === undefined || denials.type === typeCodes.NSEC) return closest;
  let at: string | undefined = closest;
  while (at !== undefined && at !== zone.name && denials.matching(at) === undefined) at = parentOf(at);
  return at ?? zone.name;
}

/** The name one label longer than the encloser. */
function nextCloser(name: string, encloser: string): string {
  let at = name;
  for (let above = parentOf(at); above !== undefined && above !== encloser; above = parentOf(at)) at = above;
  return at;
}

function records(zone: ZoneView, denials: readonly Denial[]): OwnedSet[] {
  const told = new Map(denials.flatMap((denial) => (denial === undefined ? [] : [[denial.name, denial]])));
  return Array.from(told.values()).flatMap(({ name, set }) => {
    const signature = zone.signatureOf(name, set);
    return signature === undefined
      ? []
      : [
          { name, set },
          { name, set: signature },
        ];
  });
}
