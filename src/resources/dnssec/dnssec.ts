import {
  keyFlags,
  type SigningKey,
  algorithmNames,
  digestName,
  digestType,
  digestOf,
  dnskeyData,
  dnskeyParts,
  entryPointsAmong,
  keyTagOf,
} from "../../core/dns/dnssec/keys.ts";
import type { ZoneSigning } from "../../core/dns/dnssec/zone-signer.ts";
import type { Rdata } from "../../core/dns/content/record-types.ts";
import { octetsToBase64, octetsToHex } from "../../core/dns/wire/octets.ts";
import { recordData } from "../../core/dns/wire/record-data.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneDnssecRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { ZoneContext } from "../zones/zones.ts";
import { newKeyPair, p256Signer, sha1, sha256 } from "./p256.ts";
import type { Dnssec } from "./schema.ts";
import { selectKeysAt } from "./store.ts";

export interface DnssecContext extends ZoneContext {
  readonly secretBox: SecretBox;
}

/** Makes the stored columns of new keys of a zone. Throws `SecretKeyError`. */
export function newKeys(
  secretBox: SecretBox,
  zoneId: string,
): Pick<
  ZoneDnssecRow,
  "key_signing_key" | "key_signing_public_key" | "zone_signing_key" | "zone_signing_public_key"
> {
  const [entryPoint, zone] = [newKeyPair(), newKeyPair()];
  return {
    key_signing_key: secretBox.seal(
      entryPoint.privateKey,
      sealedPlace("zone_dnssec.key_signing_key", zoneId),
    ),
    key_signing_public_key: entryPoint.publicKey,
    zone_signing_key: secretBox.seal(zone.privateKey, sealedPlace("zone_dnssec.zone_signing_key", zoneId)),
    zone_signing_public_key: zone.publicKey,
  };
}

/**
 * Reads how a zone is signed. Keys that were opened for `before` are not opened again. Throws `SecretKeyError`.
 */
export function signingOf(
  secretBox: SecretBox,
  row: Omit<ZoneDnssecRow, "presigned" | "modified_on" | "checked_on">,
  before?: ZoneSigning,
): ZoneSigning {
  const key = (
    column: "key_signing_key" | "zone_signing_key",
    opened: SigningKey | undefined,
  ): SigningKey => {
    const shown = publicKeyOf(row, column);
    if (opened?.publicKey === shown.publicKey) return opened;
    return {
      ...shown,
      sign: p256Signer(secretBox.open(row[column], sealedPlace(`zone_dnssec.${column}`, row.zone_id))),
    };
  };
  return {
    keySigningKey: key("key_signing_key", before?.keySigningKey),
    zoneSigningKey: key("zone_signing_key", before?.zoneSigningKey),
    day: row.signed_day,
    usesNsec3: row.use_nsec3 === 1,
    isMultiSigner: row.multi_signer === 1,
    isWithdrawn: row.status === "disabled" || row.status === "pending-disabled",
    sha1,
    sha256,
  };
}

function publicKeyOf(
  row: Pick<ZoneDnssecRow, "key_signing_public_key" | "zone_signing_public_key">,
  column: "key_signing_key" | "zone_signing_key",
): Pick<SigningKey, "flags" | "publicKey"> {
  const [flags, publicKey] =
    column === "key_signing_key"
      ? [keyFlags.entryPoint, row.key_signing_public_key]
      : [keyFlags.zone, row.zone_signing_public_key];
  return { flags, publicKey: Buffer.from(publicKey, "base64").toString("latin1") };
}

/** Whether a zone is served with the signatures of its primary server. */
export function isPresigned(zone: ZoneRow, row: Pick<ZoneDnssecRow, "presigned">): boolean {
  return zone.type === "secondary" && row.presigned === 1;
}

/**
 * The data of the keys that DS records of the zone may be of. None of a presigned zone that has not been
 * transferred.
 */
export async function findEntryPoints(
  db: Db,
  zone: ZoneRow,
  row: Pick<ZoneDnssecRow, "presigned" | "key_signing_public_key" | "zone_signing_public_key">,
): Promise<readonly string[]> {
  if (!isPresigned(zone, row)) return [dnskeyData(publicKeyOf(row, "key_signing_key"))];
  const records = await selectKeysAt(db, zone);
  return entryPointsAmong(records.map((record) => recordData("DNSKEY", JSON.parse(record) as Rdata)));
}

/** Seconds. */
const dsTtl = 3_600;

/** DNSSEC of a zone in answers; `row` is undefined for a zone that has none. */
export function toDnssec(
  zone: ZoneRow,
  row: ZoneDnssecRow | undefined,
  entryPoints: readonly string[],
): Dnssec {
  const [dnskey] = entryPoints;
  return {
    status: row?.status ?? "disabled",
    ...(row === undefined || dnskey === undefined ? withoutKey : delegationSigner(zone, dnskey)),
    modified_on: row?.modified_on ?? null,
    ...(row?.multi_signer != null && { dnssec_multi_signer: row.multi_signer === 1 }),
    ...(row?.presigned != null && { dnssec_presigned: row.presigned === 1 }),
    ...(row?.use_nsec3 != null && { dnssec_use_nsec3: row.use_nsec3 === 1 }),
  };
}

const withoutKey = {
  flags: null,
  algorithm: null,
  key_type: null,
  digest_type: null,
  digest_algorithm: null,
  digest: null,
  ds: null,
  key_tag: null,
  public_key: null,
};

function delegationSigner({ name }: ZoneRow, dnskey: string) {
  const { flags, algorithm, publicKey } = dnskeyParts(dnskey);
  const keyTag = keyTagOf(dnskey);
  const digest = octetsToHex(digestOf(name, dnskey, sha256)).toUpperCase();
  return {
    flags,
    algorithm: String(algorithm),
    key_type: algorithmNames.get(algorithm) ?? String(algorithm),
    digest_type: String(digestType),
    digest_algorithm: digestName,
    digest,
    ds: `${name}. ${dsTtl} IN DS ${keyTag} ${algorithm} ${digestType} ${digest}`,
    key_tag: keyTag,
    public_key: octetsToBase64(publicKey),
  };
}
