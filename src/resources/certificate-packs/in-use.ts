import type { SecretBox } from "../../secrets/secret-box.ts";
import { fromJson, type Timestamp } from "../../storage/columns.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { selectAuthorities, selectPacksOfZone } from "./store.ts";

/** Of each pack, the certificates that are in use at the time `now`. Keys are opened when they are asked for. */
export async function readPackCertificates(
  db: Db,
  secretBox: SecretBox,
  { id: zoneId }: Pick<ZoneRow, "id">,
  now: Timestamp,
) {
  const packs = await selectPacksOfZone(db, zoneId);
  return packs.flatMap(({ pack, certificates }) => {
    const inUse = certificates.flatMap(({ id, chain, private_key, expires_on }) =>
      chain === null || (expires_on ?? "") <= now ? [] : [{ id, chain, private_key }],
    );
    if (inUse.length === 0) return [];
    return {
      id: inUse.map(({ id }) => id).join(" "),
      hosts: fromJson(pack.hosts),
      type: pack.type,
      open: () => ({
        chains: inUse.map(({ chain }) => chain),
        privateKeys: inUse.map(({ id, private_key }) =>
          secretBox.open(private_key, sealedPlace("pack_certificates.private_key", id)),
        ),
      }),
    };
  });
}

/** The certificates (PEM) of the local CA, where it has issued any. */
export async function readLocalAuthorities(db: Db): Promise<string[]> {
  return (await selectAuthorities(db)).map(({ certificate }) => certificate);
}
