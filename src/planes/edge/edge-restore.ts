import type { Logger } from "pino";

import type { ZoneDocument } from "../../core/documents/zone-document.ts";
import { version } from "../../process/version.ts";
import type { ListedZone } from "../../resources/zone-documents/zone-documents.ts";
import { EdgeNames } from "./edge-names.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";

/** The entry of a zone in a snapshot. */
interface KeptZone {
  readonly listed: ListedZone;
  readonly document: ZoneDocument;
  /** The version of Zoneward that read it. */
  readonly software: string;
}

interface RestoredZone extends Pick<KeptZone, "listed" | "document"> {
  readonly names: EdgeNames;
}

const softwareVersion = version();

export function keepZone(snapshot: EdgeSnapshot, listed: ListedZone, document: ZoneDocument): void {
  snapshot.put(`zone/${listed.id}`, { listed, document, software: softwareVersion } satisfies KeptZone);
}

/** A zone in a snapshot, as it was listed. Throws what decrypting throws. */
export function openListed(id: string, kept: KeptSnapshot): ListedZone {
  return (kept.open(`zone/${id}`) as KeptZone).listed;
}

/** Opens a zone of a snapshot; what another version read of it counts as changed. Throws what decrypting throws. */
export function openZone(id: string, kept: KeptSnapshot, snapshot: EdgeSnapshot | undefined): RestoredZone {
  const { listed, document, software } = kept.open(`zone/${id}`) as KeptZone;
  const isOfThisVersion = software === softwareVersion;
  const names = new EdgeNames(listed, snapshot);
  names.restore(kept, isOfThisVersion);
  return {
    listed: { ...listed, versions: isOfThisVersion ? listed.versions : {} },
    document,
    names,
  };
}

interface Restoring {
  readonly installation: (kept: KeptSnapshot) => unknown;
  readonly account: (id: string, kept: KeptSnapshot) => Promise<unknown>;
  readonly zone: (id: string, kept: KeptSnapshot) => unknown;
  /** Why the store cannot be read. */
  readonly away: unknown;
  readonly logger: Logger;
}

/**
 * Restores what a snapshot has, zones after the accounts that they belong to. Returns when it equalled the store.
 * What cannot be restored is logged and left out. Throws if that is every zone, or there is no snapshot.
 */
export async function restoreAll(snapshot: EdgeSnapshot, restoring: Restoring): Promise<Date> {
  const { away, logger } = restoring;
  const because = (what: string, failure: unknown): Error =>
    new Error(`the store is away (${messageOf(away)}), and ${what}: ${messageOf(failure)}`, { cause: away });
  const kept = await snapshot.read().catch((error: unknown) => {
    throw because("the snapshot cannot be read", error);
  });
  if (kept === undefined) throw away;
  let failure: unknown;
  const restore = async (key: string, restoreOne: () => unknown): Promise<number> => {
    try {
      await restoreOne();
      return 1;
    } catch (error) {
      failure ??= error;
      logger.error({ err: error, key }, "what was kept cannot be read");
      return 0;
    }
  };
  const idsOf = (kind: string): string[] =>
    [...kept.keys].flatMap((key) => (key.startsWith(`${kind}/`) ? [key.slice(kind.length + 1)] : []));
  const zones = idsOf("zone");
  let restored = await restore("installation", () => restoring.installation(kept));
  for (const id of idsOf("account")) await restore(`account/${id}`, () => restoring.account(id, kept));
  if (zones.length > 0) restored = 0;
  for (const id of zones) restored += await restore(`zone/${id}`, () => restoring.zone(id, kept));
  if (restored === 0) throw because("nothing of the snapshot can be read", failure);
  return kept.asOf;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
