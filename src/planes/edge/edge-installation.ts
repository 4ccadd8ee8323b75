import { readLocalAuthorities } from "../../resources/certificate-packs/certificate-packs.ts";
import { findOwner } from "../../resources/users/users.ts";
import type { Db } from "../../storage/tables.ts";

/** Data of the installation, outside of any zone. */
export interface Installation {
  /** Identifies the installation in `CDN-Loop` (RFC 8586); the same in each of its processes. */
  readonly loopToken: string;
  /** Certificates (PEM) of the local CA, which may have issued those of origins. */
  readonly authorities: readonly string[];
}

const product = "zoneward";

/** Stands for the installation until it is known. */
export const unknownInstallation: Installation = { loopToken: product, authorities: [] };

/** Throws what the store throws. */
export async function readInstallation(read: Db): Promise<Installation> {
  const owner = await findOwner(read);
  return {
    loopToken: `${product}-${owner?.id.slice(0, 8) ?? ""}`,
    authorities: await readLocalAuthorities(read),
  };
}
