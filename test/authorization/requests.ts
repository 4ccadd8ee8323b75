import { permissionGroups } from "../../src/core/policy/permission-groups.ts";
import { createAuthority, issueServerCertificate } from "../../src/tls/local-ca.ts";
import { startOfTime } from "../harness.ts";
import { allow, keys, type World } from "./world.ts";

/** A request that is in order, but for who sends it. */
export interface ValidRequest {
  /** Values of the parameters in the path besides `zone_id` and `account_id`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly contentType?: string;
}

type MakeRequest = (world: World) => ValidRequest | Promise<ValidRequest>;

const nothing: MakeRequest = () => ({});

let made = 0;
const fresh = (): number => (made += 1);

/** Makes a DNS record and answers its id. */
async function newRecord({ app, zoneId }: World): Promise<string> {
  const name = `n${fresh()}.example.com`;
  const { body } = await app.request("POST", `/zones/${zoneId}/dns_records`, {
    body: { type: "A", name, content: "192.0.2.1" },
  });
  return body.result.id as string;
}

const zoneFile = [
  "--part",
  'content-disposition: form-data; name="file"; filename="zone.txt"',
  "",
  "imported 300 IN A 192.0.2.7",
  "--part--",
  "",
].join("\r\n");

function tokenBody({ zoneId }: World): object {
  const group = permissionGroups.find(({ scope }) => scope === "zone");
  if (group === undefined) throw new Error("no group");
  return { name: "another", policies: [allow(keys.zone(zoneId), group)] };
}

async function newToken(world: World, path: string): Promise<string> {
  const { body } = await world.app.request("POST", path, { body: tokenBody(world) });
  return body.result.id as string;
}
const newUserToken = (world: World): Promise<string> => newToken(world, "/user/tokens");
const newAccountToken = (world: World): Promise<string> =>
  newToken(world, `/accounts/${world.accountId}/tokens`);

const withRecord: MakeRequest = async (world) => ({ params: { dns_record_id: await newRecord(world) } });
const withRecordAndBody: MakeRequest = async (world) => ({
  ...(await withRecord(world)),
  body: { type: "A", name: `c${fresh()}.example.com`, content: "192.0.2.9" },
});

/** Orders a certificate pack and answers its id. */
const withPack: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/ssl/certificate_packs/order`, {
    body: packOrder,
  });
  return { params: { certificate_pack_id: body.result.id as string } };
};

const packOrder = {
  type: "advanced",
  hosts: ["example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "google",
};

const withCustomCertificate: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/custom_certificates`, {
    body: await newCustomCertificate(),
  });
  return { params: { custom_certificate_id: body.result.id as string } };
};

async function newCustomCertificate(): Promise<object> {
  const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
  const authority = await createAuthority("Test CA", validity);
  const { certificate, privateKey } = await issueServerCertificate(authority, ["example.com"], validity);
  return { certificate, private_key: privateKey };
}

/** One row an operation that needs a caller. An operation without its row fails the sweep. */
export const validRequests: Readonly<Record<string, MakeRequest>> = {
  getUser: nothing,
  listTokens: nothing,
  createToken: (world) => ({ body: tokenBody(world) }),
  listPermissionGroups: nothing,
  getToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  replaceToken: async (world) => ({
    params: { token_id: await newUserToken(world) },
    body: tokenBody(world),
  }),
  deleteToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  rollToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  listAccountTokens: nothing,
  createAccountToken: (world) => ({ body: tokenBody(world) }),
  listAccountPermissionGroups: nothing,
  getAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  replaceAccountToken: async (world) => ({
    params: { token_id: await newAccountToken(world) },
    body: tokenBody(world),
  }),
  deleteAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  rollAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  listAccounts: nothing,
  getAccount: nothing,
  listMemberships: nothing,
  listZones: nothing,
  createZone: ({ accountId }) => ({
    body: { name: `z${fresh()}.example`, account: { id: accountId } },
  }),
  getZone: nothing,
  editZone: () => ({ body: { paused: true } }),
  checkActivation: nothing,
  listAvailablePlans: nothing,
  getAvailablePlan: () => ({ params: { plan_id: "free" } }),
  listAvailableRatePlans: nothing,
  getZoneSubscription: nothing,
  createZoneSubscription: () => ({ body: { rate_plan: { id: "CF_ENT" } } }),
  updateZoneSubscription: () => ({ body: { rate_plan: { id: "CF_ENT" } } }),
  listZoneSettings: nothing,
  editZoneSettings: () => ({ body: { items: [{ id: "ipv6", value: "off" }] } }),
  getZoneSetting: () => ({ params: { setting_id: "ipv6" } }),
  editZoneSetting: () => ({ params: { setting_id: "websockets" }, body: { value: "off" } }),
  getZoneHold: nothing,
  createZoneHold: nothing,
  editZoneHold: () => ({ body: { include_subdomains: true } }),
  deleteZoneHold: nothing,
  purgeCache: () => ({ body: { purge_everything: true } }),
  listCertificatePacks: nothing,
  orderCertificatePack: () => ({ body: packOrder }),
  createCertificatePack: () => ({ body: { type: "dedicated_custom", hosts: ["example.com"] } }),
  getCertificatePackQuota: nothing,
  getCertificatePack: withPack,
  editCertificatePack: withPack,
  deleteCertificatePack: withPack,
  getCertificateVerification: nothing,
  listCustomCertificates: nothing,
  createCustomCertificate: async () => ({ body: await newCustomCertificate() }),
  getCustomCertificate: withCustomCertificate,
  editCustomCertificate: async (world) => ({
    ...(await withCustomCertificate(world)),
    body: { bundle_method: "force" },
  }),
  deleteCustomCertificate: withCustomCertificate,
  prioritizeCustomCertificates: async (world) => {
    const { params } = await withCustomCertificate(world);
    return { body: { certificates: [{ id: params?.["custom_certificate_id"], priority: 5 }] } };
  },
  listDnsRecords: nothing,
  createDnsRecord: () => ({
    body: { type: "A", name: `m${fresh()}.example.com`, content: "192.0.2.2" },
  }),
  batchDnsRecords: () => ({
    body: { posts: [{ type: "A", name: "batch.example.com", content: "192.0.2.3" }] },
  }),
  exportDnsRecords: nothing,
  importDnsRecords: () => ({ rawBody: zoneFile, contentType: "multipart/form-data; boundary=part" }),
  scanDnsRecords: nothing,
  getDnsRecord: withRecord,
  replaceDnsRecord: withRecordAndBody,
  editDnsRecord: withRecordAndBody,
  deleteDnsRecord: withRecord,
  // Last: nothing is left then.
  deleteZone: nothing,
};
