import { LruMap } from "../../lru-map.ts";
import { isEqualSet, type RecordSet } from "../wire/record-data.ts";
import { typeCodes } from "../wire/codes.ts";
import { type Hash, type SigningKey, dnskeyData, dsData, withdrawal } from "./keys.ts";
import { nsec, nsec3, nsec3Parameters, type DenialMechanism } from "./denial.ts";
import { signRecordSet, validityOn } from "./signatures.ts";

/** The keys and options that a zone is signed with. Equal ones give equal signatures on every server. */
export interface ZoneSigning {
  readonly keySigningKey: SigningKey;
  readonly zoneSigningKey: SigningKey;
  /** The day on which the zone was last signed (see `dayOf`). */
  readonly day: number;
  /** Whether NSEC3 is used instead of NSEC. */
  readonly usesNsec3: boolean;
  /**
   * Whether other providers sign the zone too, each with its own keys (RFC 8901): transfers are then
   * unsigned, and the DNSKEY set includes their keys.
   */
  readonly isMultiSigner: boolean;
  /** Whether CDS and CDNSKEY records ask the parent to delete the zone's DS records. */
  readonly isWithdrawn: boolean;
  readonly sha1: Hash;
  readonly sha256: Hash;
}

interface Signed {
  readonly set: RecordSet;
  readonly inception: number;
  readonly signature: RecordSet;
}

/** A cache of signatures by name and type. */
export class Signatures {
  readonly #made = new Map<string, Map<number, Signed>>();
  /** Signatures of sets that were made for one answer, such as flattened addresses. */
  readonly #passing = new LruMap<string, RecordSet>(passingMax);

  stored(name: string, set: RecordSet, inception: number, make: () => RecordSet): RecordSet {
    const ofName = this.#made.get(name) ?? new Map<number, Signed>();
    const known = ofName.get(set.type);
    if (known?.inception === inception && isEqualSet(known.set, set)) return known.signature;
    const signature = make();
    ofName.set(set.type, { set, inception, signature });
    this.#made.set(name, ofName);
    return signature;
  }

  passing(
    name: string,
    { type, ttl, rdatas }: RecordSet,
    inception: number,
    make: () => RecordSet,
  ): RecordSet {
    const key = [name, type, ttl, inception, ...rdatas].join(" ");
    const signature = this.#passing.get(key) ?? make();
    this.#passing.set(key, signature);
    return signature;
  }

  forget(name: string): void {
    this.#made.delete(name);
  }
}

const passingMax = 10_000;

/** Seconds. */
const keyTtl = 3_600;

/** Signs the record sets of a zone when they are first asked for, and keeps the signatures. */
export class ZoneSigner {
  readonly signing: ZoneSigning;
  readonly mechanism: DenialMechanism;
  readonly #zone: string;
  readonly #signatures: Signatures;
  /** Data of this server's DNSKEY records. */
  readonly #keys: readonly string[];
  readonly #made: readonly RecordSet[];

  constructor(zone: string, signing: ZoneSigning, signatures: Signatures) {
    this.#zone = zone;
    this.signing = signing;
    this.#signatures = signatures;
    this.mechanism = signing.usesNsec3 ? nsec3(zone, signing.sha1) : nsec;
    const entryPoint = dnskeyData(signing.keySigningKey);
    this.#keys = [entryPoint, dnskeyData(signing.zoneSigningKey)];
    const { cds, cdnskey } = signing.isWithdrawn
      ? withdrawal
      : { cds: dsData(zone, entryPoint, signing.sha256), cdnskey: entryPoint };
    this.#made = [
      { type: typeCodes.CDS, ttl: keyTtl, rdatas: [cds] },
      { type: typeCodes.CDNSKEY, ttl: keyTtl, rdatas: [cdnskey] },
      ...(signing.usesNsec3 ? [{ type: typeCodes.NSEC3PARAM, ttl: 0, rdatas: [nsec3Parameters] }] : []),
    ];
  }

  /** Adds DNSKEY, CDS, CDNSKEY and NSEC3PARAM to the sets of the apex. */
  withApexSets(sets: readonly RecordSet[]): RecordSet[] {
    const others = sets.find(({ type }) => type === typeCodes.DNSKEY)?.rdatas ?? [];
    const keys = {
      type: typeCodes.DNSKEY,
      ttl: keyTtl,
      rdatas: [...new Set([...this.#keys, ...(this.signing.isMultiSigner ? others : [])])],
    };
    return [...sets.filter(({ type }) => type !== typeCodes.DNSKEY), keys, ...this.#made];
  }

  /**
   * Removes this server's DNSSEC records from the sets of the apex, for another provider that signs the zone
   * itself.
   */
  withoutApexSets(sets: readonly RecordSet[]): RecordSet[] {
    const made = new Set(this.#made.map(({ type }) => type));
    return sets.flatMap((set) => {
      if (made.has(set.type)) return [];
      if (set.type !== typeCodes.DNSKEY) return [set];
      const rdatas = set.rdatas.filter((rdata) => !this.#keys.includes(rdata));
      return rdatas.length === 0 ? [] : [{ ...set, rdatas }];
    });
  }

  /** The signature of a set that the zone stores at this name. */
  signatureOf(name: string, set: RecordSet): RecordSet {
    return this.#signatures.stored(name, set, this.inceptionOf(name), () => this.#sign(name, set));
  }

  /** The signature of a set that was made for one answer. */
  passingSignatureOf(name: string, set: RecordSet): RecordSet {
    return this.#signatures.passing(name, set, this.inceptionOf(name), () => this.#sign(name, set));
  }

  /**
   * The inception of the signatures of a name, in seconds since 1970; it changes when they have to be
   * renewed.
   */
  inceptionOf(name: string): number {
    return validityOn(this.signing.day, name).inception;
  }

  #sign(name: string, set: RecordSet): RecordSet {
    const { keySigningKey, zoneSigningKey, day } = this.signing;
    const key = entryPointTypes.has(set.type) ? keySigningKey : zoneSigningKey;
    return signRecordSet(this.#zone, key, name, set, validityOn(day, name));
  }
}

/** The types that the key-signing key signs (RFC 7344 section 4.1). */
const entryPointTypes: ReadonlySet<number> = new Set([typeCodes.DNSKEY, typeCodes.CDS, typeCodes.CDNSKEY]);
