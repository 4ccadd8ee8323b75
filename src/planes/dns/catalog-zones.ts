import { createHash } from "node:crypto";

import { nextSerial } from "../../core/dns/wire/start-of-authority.ts";
import { ZoneIndex } from "../../core/dns/served/zone-index.ts";
import { ZoneView } from "../../core/dns/served/zone-view.ts";
import type { StoredRecord } from "../../core/dns/served/record-sets.ts";
import {
  selectAllPeers,
  selectCatalogMembers,
  updateCatalog,
  type CatalogMember,
} from "../../resources/zone-transfers/store.ts";
import { zonesInCharge, type ZoneContext } from "../../resources/zones/zones.ts";
import { selectRow } from "../../storage/rows.ts";
import type { TransferPeerRow } from "../../storage/schema/zone-transfers.ts";

/** The catalog zone of a peer is named by its id below this name, which no real zone has (RFC 9432 section 6). */
export const catalogSuffix = "catalog.invalid";
const apexServers = { nameServers: ["invalid"], hostmaster: "hostmaster.invalid" };
const rules = { edge: undefined, flattensAll: false };
const plain = { ttl: 0, proxied: false, settings: {} };

type CatalogContext = Pick<ZoneContext, "db" | "now" | "settings">;

interface Catalog {
  readonly view: ZoneView;
  readonly members: ReadonlyMap<string, string>;
}

function catalogName(peerId: string): string {
  return `${peerId}.${catalogSuffix}`;
}

/**
 * The catalog zones (RFC 9432): one for each peer, with the zones that are transferred to it. The content
 * follows from the store; the serial is stored, so that all processes answer with the same one.
 */
export class CatalogZones {
  readonly #context: CatalogContext;
  readonly #index = new ZoneIndex();
  readonly #catalogs = new Map<string, Catalog>();
  readonly #peers = new WeakMap<ZoneView, string>();

  constructor(context: CatalogContext) {
    this.#context = context;
  }

  /** The catalog zone that contains a folded name. */
  readonly at = (name: string): ZoneView | undefined =>
    name.endsWith(catalogSuffix) ? this.#index.enclosing(name, false) : undefined;

  /** The id of the peer whose catalog zone this is; undefined for another zone. */
  peerOf(view: ZoneView): string | undefined {
    return this.#peers.get(view);
  }

  viewOf(peerId: string): ZoneView | undefined {
    return this.#catalogs.get(peerId)?.view;
  }

  /** Brings the catalogs up to date. Throws what the store throws. */
  async refresh(): Promise<void> {
    const { db } = this.#context;
    const members = Map.groupBy(await this.#servedMembers(), ({ peer_id }) => peer_id);
    const peers = await selectAllPeers(db.read);
    for (const peer of peers) await this.#follow(peer, members.get(peer.id) ?? []);
    const known = new Set(peers.map(({ id }) => id));
    for (const [id, { view }] of this.#catalogs) {
      if (known.has(id)) continue;
      this.#catalogs.delete(id);
      this.#index.delete(view.name);
    }
  }

  /** Without the zones that do not answer for their names, as they are not transferred. */
  async #servedMembers(): Promise<readonly CatalogMember[]> {
    const { db, settings } = this.#context;
    const members = await selectCatalogMembers(db.read);
    const zones = members.map(({ zone_id: id, name }) => ({ id, name }));
    const served = new Set((await zonesInCharge(db.read, settings, zones)).map(({ id }) => id));
    return members.filter(({ zone_id }) => served.has(zone_id));
  }

  async #follow(peer: TransferPeerRow, members: readonly CatalogMember[]): Promise<void> {
    const digest = digestOf(members);
    if (digest === peer.catalog_digest && peer.catalog_serial !== null) {
      this.#show(peer, members, peer.catalog_serial);
      return;
    }
    const serial = nextSerial(peer.catalog_serial ?? 0, Math.floor(this.#context.now().getTime() / 1000));
    const before = peer.catalog_digest ?? "";
    await this.#context.db.transaction(async (tx, publication) => {
      await updateCatalog(tx, { peerId: peer.id, serial, digest, before });
      publication.account(peer.account_id, ["dns"]);
    });
    // If another process was faster, its serial is used once the change of the peer is announced.
    const stored = await selectRow(this.#context.db.read, "transfer_peers", { id: peer.id });
    if (stored?.catalog_digest === digest && stored.catalog_serial !== null) {
      this.#show(peer, members, stored.catalog_serial);
    }
  }

  #show(
    { id: peerId, account_id: accountId }: TransferPeerRow,
    members: readonly CatalogMember[],
    serial: number,
  ): void {
    const known = this.#catalogs.get(peerId);
    if (known?.view.serial === serial) return;
    const name = catalogName(peerId);
    const apex = { name, ...apexServers, serial };
    const view = known?.view ?? newCatalog(name, serial, accountId);
    const now = new Map(members.map((member) => [member.zone_id, member.name]));
    for (const id of known?.members.keys() ?? []) {
      if (!now.has(id)) view.setRecords(`${id}.zones.${name}`, []);
    }
    for (const [id, zoneName] of now) {
      if (known?.members.get(id) !== zoneName) view.setRecords(`${id}.zones.${name}`, [pointer(zoneName)]);
    }
    view.changeApex(apex);
    if (known === undefined) view.beginJournal();
    this.#catalogs.set(peerId, { view, members: now });
    this.#peers.set(view, peerId);
    this.#index.set(view);
  }
}

function newCatalog(name: string, serial: number, accountId: string): ZoneView {
  const view = new ZoneView({ name, ...apexServers, serial }, { ...rules, accountId });
  view.setRecords(`version.${name}`, [{ ...plain, type: "TXT", content: '"2"' }]);
  return view;
}

function pointer(content: string): StoredRecord {
  return { ...plain, type: "PTR", content };
}

function digestOf(members: readonly CatalogMember[]): string {
  const hash = createHash("sha256");
  for (const { zone_id, name } of members) hash.update(`${zone_id} ${name}\n`);
  return hash.digest("hex");
}
