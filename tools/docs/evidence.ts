/** What shows that an operation does what it should, and what it does not do yet. */
interface Evidence {
  readonly test: string;
  readonly missing?: string;
}

const room = (name: string, file = name): Evidence => ({ test: `src/resources/${name}/${file}.test.ts` });

/** By the name of the operation. */
export const evidence: Readonly<Record<string, Evidence>> = {
  listEdgeAddresses: room("edge-addresses"),
  getUser: room("users"),
  verifyToken: room("tokens"),
  listAccounts: room("accounts"),
  getAccount: room("accounts"),
  listMemberships: room("accounts"),
  listZones: room("zones", "list-zones"),
  createZone: room("zones", "create-zone"),
  getZone: room("zones", "create-zone"),
  editZone: room("zones", "change-zone"),
  deleteZone: room("zones", "change-zone"),
  checkActivation: room("zones", "activation"),
  listAvailablePlans: room("zone-plans"),
  getAvailablePlan: room("zone-plans"),
  listAvailableRatePlans: room("zone-plans"),
  getZoneSubscription: room("zone-plans"),
  createZoneSubscription: room("zone-plans"),
  updateZoneSubscription: room("zone-plans"),
  listZoneSettings: room("zone-settings"),
  editZoneSettings: room("zone-settings"),
  getZoneSetting: room("zone-settings"),
  editZoneSetting: room("zone-settings"),
  getZoneHold: room("zone-holds"),
  createZoneHold: room("zone-holds"),
  editZoneHold: room("zone-holds"),
  deleteZoneHold: room("zone-holds"),
  purgeCache: room("cache"),
  listDnsRecords: room("dns", "list"),
  createDnsRecord: room("dns", "record-types"),
  batchDnsRecords: room("dns", "batch"),
  exportDnsRecords: room("dns", "zone-file"),
  importDnsRecords: room("dns", "import"),
  scanDnsRecords: room("dns", "scan"),
  getDnsRecord: room("dns", "record-types"),
  replaceDnsRecord: room("dns", "edit"),
  editDnsRecord: room("dns", "edit"),
  deleteDnsRecord: room("dns", "record-types"),
};
