import type { TransferAccess } from "../../core/dns/served/transfer-access.ts";
import { parseTsigAlgorithm, type TsigKey } from "../../core/dns/wire/tsig.ts";
import { parseClientAddress } from "../../core/net/client-network.ts";
import { parseIpAddress, sameAddress } from "../../core/net/ip-address.ts";
import { parseIpRange } from "../../core/net/ip-range.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { TransferKeyRow, TransferPeerRow } from "../../storage/schema/zone-transfers.ts";
import {
  selectKeysOfAccount,
  selectPeersOfZone,
  selectTransferOfZone,
  updateCatalogTransferred,
  updateTransferred,
  selectOfAccount,
  updateOutgoing,
} from "./store.ts";
import { nameKey, type TransferKeyContext } from "./zone-transfers.ts";

/** The rules of who may transfer a zone, and who may sign questions about it. */
export interface StoredTransferRules {
  readonly keys: readonly TsigKey[];
  /** Undefined while nobody may. */
  readonly access: TransferAccess | undefined;
  readonly backlogSerial: number;
}

type KeyContext = Pick<TransferKeyContext, "secretBox">;

const nobody: StoredTransferRules = { keys: [], access: undefined, backlogSerial: 0 };

/** Finds the rules of a zone. Throws a SecretKeyError where its keys cannot be read. */
export async function findTransferRules(
  context: KeyContext,
  db: Db,
  zoneId: string,
): Promise<StoredTransferRules> {
  const [transfer] = await selectTransferOfZone(db, { zoneId });
  if (transfer === undefined) return nobody;
  const { account_id: accountId, enabled, backlog_serial: backlogSerial } = transfer;
  const rules = await rulesFor(context, db, accountId, await selectPeersOfZone(db, { zoneId }));
  return { ...rules, backlogSerial, ...(enabled === 0 && { access: undefined }) };
}

/** Finds the rules of the catalog zone of a peer. Throws as `findTransferRules`. */
export async function findCatalogRules(
  context: KeyContext,
  db: Db,
  peerId: string,
): Promise<StoredTransferRules> {
  const peer = await selectRow(db, "transfer_peers", { id: peerId });
  return peer === undefined ? nobody : rulesFor(context, db, peer.account_id, [peer]);
}

/** The rules of a zone or catalog with these peers. Throws as `findTransferRules`. */
export async function rulesFor(
  context: KeyContext,
  db: Db,
  accountId: string,
  peers: readonly TransferPeerRow[],
): Promise<StoredTransferRules> {
  const keys = new Map(
    (await selectKeysOfAccount(db, accountId)).map((row) => [row.id, toTsigKey(context, row)]),
  );
  const acls = await selectOfAccount(db, "transfer_acls", accountId);
  return {
    keys: [...keys.values()],
    access: {
      peers: peers.map(({ ip, key_id }) => ({
        address: ip === null ? undefined : parseIpAddress(ip),
        key: key_id === null ? undefined : keys.get(key_id),
      })),
      ranges: acls.flatMap(({ ip_range }) => parseIpRange(ip_range) ?? []),
    },
    backlogSerial: 0,
  };
}

/** The key of a peer; undefined for a peer without one. */
export async function findPeerKey(
  context: KeyContext,
  db: Db,
  keyId: string | null,
): Promise<TsigKey | undefined> {
  const row = keyId === null ? undefined : await selectRow(db, "transfer_keys", { id: keyId });
  return row && toTsigKey(context, row);
}

function toTsigKey({ secretBox }: KeyContext, { id, name, algo, secret }: TransferKeyRow): TsigKey {
  const algorithm = parseTsigAlgorithm(algo);
  if (algorithm === undefined) throw new Error(`an algorithm that no key has: ${algo}`);
  return {
    name: nameKey(name),
    algorithm,
    secret: Buffer.from(secretBox.open(secret, sealedPlace("transfer_keys.secret", id)), "base64"),
  };
}

/** A transfer that was sent completely, of a zone or of the catalog zone of a peer. */
export interface SentTransfer {
  readonly zoneId: string | undefined;
  /** The id of the peer. */
  readonly catalogOf: string | undefined;
  readonly serial: number;
  /** The address of the client. */
  readonly address: string;
}

/** Notes which serials the peers at the addresses of these transfers have. */
export async function noteTransfers(tx: Db, transfers: readonly SentTransfer[], now: Date): Promise<void> {
  for (const { zoneId, catalogOf, serial, address: client } of transfers) {
    if (catalogOf !== undefined) await updateCatalogTransferred(tx, { peerId: catalogOf, serial });
    if (zoneId === undefined) continue;
    await updateOutgoing(tx, zoneId, { transferred_on: toTimestamp(now) });
    const address = parseClientAddress(client);
    for (const { id: peerId, ip } of await selectPeersOfZone(tx, { zoneId })) {
      const its = ip === null ? undefined : parseIpAddress(ip);
      const isClient = address !== undefined && its !== undefined && sameAddress(its, address);
      if (isClient) await updateTransferred(tx, { zoneId, peerId, serial });
    }
  }
}
